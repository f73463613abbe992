import { zipSync } from "fflate";
import mammoth from "mammoth";
import { openArchive } from "./archive.ts";
import { paginate } from "./blocks.ts";
import { decodeMarkup } from "./decode.ts";
import { MarkupFailure } from "./failure.ts";
import { htmlBlocks } from "./htmlBlocks.ts";
import type { MarkupText } from "./protocol.ts";
import { xmlElements } from "./xml.ts";

/** What Word's own title style becomes; all other headings are mammoth's defaults. */
const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"];

/** The arrow back to its mark that mammoth puts behind a note. */
const noteArrow = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;

/**
 * Reads a Word document: its text with headings, lists, tables, foot and end notes, as it is when all its changes are accepted. Pictures,
 * comments, headers and footers are left out.
 * @throws MarkupFailure
 */
export async function readDocx(bytes: Uint8Array): Promise<MarkupText> {
  const archive = await openArchive(bytes);
  // Only what was unpacked here, within our limits, reaches the converter; pictures and what is embedded stay packed.
  const parts: Record<string, Uint8Array> = {};
  for (const name of archive.names.filter((each) => /\.(?:xml|rels)$/i.test(each))) {
    const part = await archive.read(name);
    if (part !== null) parts[name] = part;
  }
  const { value } = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(zipSync(parts, { level: 0 })) },
      {
        styleMap,
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
      },
    )
    .catch((error: unknown) => {
      throw new MarkupFailure("damaged", error instanceof Error ? error.message : String(error));
    });
  const { blocks } = htmlBlocks(value.replace(noteArrow, ""));
  const title = titleOf(parts["docProps/core.xml"]);
  return { title, sections: paginate(blocks, title), notices: [] };
}

function titleOf(core: Uint8Array | undefined): string | null {
  if (core === undefined) return null;
  const title =
    xmlElements(decodeMarkup(core).text)
      .find(({ name }) => name === "title")
      ?.text.trim() ?? "";
  return title === "" ? null : title;
}
