import { paginate } from "./blocks.ts";
import { decodeMarkup } from "./decode.ts";
import { htmlBlocks } from "./htmlBlocks.ts";
import type { MarkupText } from "./protocol.ts";

/** Reads a page of HTML. */
export function readHtml(bytes: Uint8Array): MarkupText {
  const { text, notices } = decodeMarkup(bytes);
  const { title, blocks } = htmlBlocks(text);
  return { title, sections: paginate(blocks, title), notices: [...notices] };
}
