/** Above this many characters the browser's own `dir="auto"` takes seconds to look at a text field. */
const longText = 4000;

/** The first character with a direction of its own, in the scripts that are written from right to left. */
const firstStrong = /\p{L}/u;
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The `dir` of a text field: the browser's judgement for short texts, the first letter's for long ones. */
export function directionOf(text: string): "auto" | "ltr" | "rtl" {
  if (text.length <= longText) return "auto";
  const letter = firstStrong.exec(text.slice(0, longText))?.[0] ?? "";
  return rightToLeft.test(letter) ? "rtl" : "ltr";
}
