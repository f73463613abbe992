import { afterEach, describe, expect, test } from "vitest";
import { languageOf } from "../../../../electron/contract/language.ts";
import de from "../../../../renderer/text/de.json" with { type: "json" };
import en from "../../../../renderer/text/en.json" with { type: "json" };
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatPercent,
  formatRate,
  formatShare,
  formatTime,
} from "../../../../renderer/text/format.ts";
import { language, speak, translate } from "../../../../renderer/text/i18n.ts";

/** Every text by its whole name. */
function textsOf(value: unknown, name = ""): [string, string][] {
  if (typeof value === "string") return [[name, value]];
  if (typeof value !== "object" || value === null) throw new Error(`${name} is no text.`);
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, name === "" ? key : `${name}.${key}`));
}

const placeholders = (text: string): string[] => [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = ""]) => name).sort();

/** Texts that are the same in both languages: names, units and words that German has taken over. */
const shared =
  /^(documents\.kinds|suggestions\.sample|pages\.(of|text)$|citations\.source|export\.(format|names)|compare\.cache|versions\.place|model\.threads$|status\.budget$|budget\.name|policies\.names|about\.version|settings\.(languages|textSizes\.normal|topP|topK|minP)|shortcuts\.keys)/;

afterEach(() => speak("en", "en"));

describe("the German texts", () => {
  const english = new Map(textsOf(en));
  const german = new Map(textsOf(de));

  test("are as many as the English ones, plural forms included, and none is empty", () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
    expect([...german].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  test("have the forms that German counts with", () => {
    const forms = (name: string) => name.replace(/_(zero|one|other)$/, "");
    const counted = [...german.keys()].filter((name) => /_(one|other)$/.test(name)).map(forms);
    for (const name of new Set(counted)) {
      expect([name, ...new Intl.PluralRules("de").resolvedOptions().pluralCategories.map((form) => german.has(`${name}_${form}`))]).toEqual(
        [name, true, true],
      );
    }
  });

  test("name what the English ones name", () => {
    for (const [name, text] of english) expect([name, placeholders(german.get(name) ?? "")]).toEqual([name, placeholders(text)]);
  });

  test("are translated", () => {
    const hasWords = (text: string) => /\p{L}/u.test(text.replace(/\{\{.*?\}\}/g, ""));
    const untranslated = [...english].filter(([name, text]) => german.get(name) === text && hasWords(text) && !shared.test(name));
    expect(untranslated.map(([name]) => name)).toEqual([]);
  });

  test("keep numbers and units together as the English ones do", () => {
    for (const [name, text] of english)
      if (text.includes("\u00a0")) expect([name, german.get(name)?.includes("\u00a0")]).toEqual([name, true]);
  });
});

describe("a language", () => {
  test("is the system's, where Longsight speaks it, or the chosen one", () => {
    expect(["de", "de-AT", "DE_ch", "en-GB", "fr", ""].map((locale) => languageOf("system", locale))).toEqual([
      "de",
      "de",
      "de",
      "en",
      "en",
      "en",
    ]);
    expect([languageOf("en", "de"), languageOf("de", "en-US")]).toEqual(["en", "de"]);
  });

  test("changes texts, numbers, sizes, times and dates at once", () => {
    speak("system", "de-DE");
    expect(language()).toBe("de");
    expect(translate("conversations.questions", { count: 1 })).toBe("1 Frage");
    expect(translate("conversations.questions", { count: 2 })).toBe("2 Fragen");
    const shown = [
      formatCount(61_408),
      formatBytes(4_100_000),
      formatPercent(0.28),
      formatShare(0.005),
      formatRate(4.2),
      formatDuration(4200),
    ];
    expect(shown.map((text) => text.replaceAll("\u00a0", " "))).toEqual(["61.408", "4,1 MB", "28 %", "0,5 %", "4,2", "4,2 s"]);
    expect(formatTime(new Date(2026, 10, 29, 14, 31).getTime())).toBe("29.11.2026, 14:31");
    speak("en", "de-DE");
    expect([translate("composer.send"), formatCount(61_408)]).toEqual(["Send", "61,408"]);
  });
});
