import type { Passage } from "../../contract/passages.ts";
import { keptLevel, lookNames, type ShadeOf } from "../../contract/shades.ts";
import { escapedHtml } from "./escape.ts";

/** A passage's text in as few elements as there are changes of shade or mark. */
export function shadedHtml({ text, cells }: Passage, shadeOf: ShadeOf, layerHeads: number): string {
  const pieces: string[] = [];
  const put = (from: number, to: number, name: string) => {
    const content = escapedHtml(text.slice(from, to));
    pieces.push(name === "" ? content : `<span class="${name}">${content}</span>`);
  };
  let from = 0;
  let name = "";
  for (const cell of cells) {
    const own = lookNames({ shade: shadeOf(cell), level: keptLevel(cell.kept, layerHeads), always: cell.always });
    if (own === name) continue;
    if (cell.start > from) put(from, cell.start, name);
    from = cell.start;
    name = own;
  }
  if (text.length > from) put(from, text.length, name);
  return pieces.join("");
}
