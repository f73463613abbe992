import { expect, test } from "vitest";
import { moduleWords } from "../../../../renderer/model/moduleWords.ts";
import { translate } from "../../../../renderer/text/i18n.ts";

test.each([
  [null, "none: SnapKV takes its place"],
  [{ name: "module of m", steps: 0 }, "“module of m”, not trained"],
  [{ name: "module of m", steps: 1 }, "“module of m”, trained for 1 step"],
  [{ name: "module of m", steps: 1500 }, "“module of m”, trained for 1,500 steps"],
])("the module %j is told as %s", (module, words) => {
  expect(moduleWords(module, translate)).toBe(words);
});
