import { describe, expect, test } from "vitest";
import { directionOf } from "../../../../renderer/text/direction.ts";
import {
  formatBytes,
  formatDuration,
  formatEstimate,
  formatPercent,
  formatRate,
  formatScale,
  formatShare,
} from "../../../../renderer/text/format.ts";
import { translate } from "../../../../renderer/text/i18n.ts";

describe("numbers in words", () => {
  test("bytes, rates, times and shares", () => {
    const shown = (value: string): string => value.replaceAll("\u00a0", " ");
    const sizes = [999, 1000, 754_300_000, 4_100_000, 16_800_000_000].map(formatBytes);
    expect(sizes.map(shown)).toEqual(["999 B", "1.0 kB", "754 MB", "4.1 MB", "17 GB"]);
    expect([4.23, 31.4].map(formatRate)).toEqual(["4.2", "31"]);
    const times = [4, 99.4, 99.6, 4200, 61_000, 200_000, 3_600_000].map(formatDuration);
    expect(times.map(shown)).toEqual(["4 ms", "99 ms", "0.1 s", "4.2 s", "1 min 1 s", "3 min 20 s", "60 min"]);
    expect([0.2, 7.4, 41, 200, 9000].map(formatEstimate)).toEqual(["1 s", "7 s", "40 s", "3 min", "2.5 h"]);
    expect(formatScale(4)).toBe("400%");
  });

  test("sizes and times do not break between number and unit", () => {
    expect([formatBytes(754_300_000), formatDuration(4), formatDuration(4200), formatDuration(200_000)].join("")).not.toContain(" ");
  });

  test("a hundred percent is only said when it is there", () => {
    expect([0, 0.999, 1].map(formatPercent)).toEqual(["0%", "99%", "100%"]);
  });

  test("a share says what is less than a hundredth, and never all for a part", () => {
    expect([0.00123, 0.0046, 0.041, 0.85, 0.9999, 1].map(formatShare)).toEqual(["0.1%", "0.5%", "4%", "85%", "99%", "100%"]);
  });

  test("texts are found by number and by names with an underscore", () => {
    expect(translate("conversations.questions", { count: 1 })).toBe("1 question");
    expect(translate("conversations.questions", { count: 2 })).toBe("2 questions");
    expect(translate("model.kvHints.q8_0")).toContain("2.5 times slower");
  });

  test("the direction of a long text is that of its first letter", () => {
    expect(directionOf("short")).toBe("auto");
    expect(directionOf(`123 ${"word ".repeat(2000)}`)).toBe("ltr");
    expect(directionOf(`"${"שלום ".repeat(2000)}`)).toBe("rtl");
  });
});
