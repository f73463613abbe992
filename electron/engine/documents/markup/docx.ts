import { strToU8, zipSync } from "fflate";
import mammoth from "mammoth";
import { say } from "../../../contract/said.ts";
import { openArchive } from "./archive.ts";
import { paginate } from "./blocks.ts";
import { decodeMarkup } from "./decode.ts";
import { withoutDoctype } from "./doctype.ts";
import { MarkupFailure } from "./failure.ts";
import { htmlBlocks } from "./htmlBlocks.ts";
import type { MarkupText } from "./protocol.ts";
import { readablePart } from "./wordPart.ts";
import { hiddenStyles } from "./wordStyles.ts";
import { xmlElements } from "./xml.ts";

/** What Word's own title style becomes; all other headings are mammoth's defaults. */
const styleMap = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"];

/** The arrow back to its mark that mammoth puts behind a note. */
const noteArrow = /<a href="#(?:foot|end)note-ref-[^"]*">↑<\/a>/g;

/**
 * Reads a Word document: its text with headings, lists, tables, equations, foot and end notes, as it is when all its changes are accepted.
 * Hidden text, pictures, comments, headers and footers are left out; equations that are pictures are counted in a notice.
 * @throws MarkupFailure
 */
export async function readDocx(bytes: Uint8Array): Promise<MarkupText> {
  const archive = await openArchive(bytes);
  // Only what was unpacked here, within our limits, reaches the converter; pictures and what is embedded stay packed.
  const parts: Record<string, string> = {};
  for (const name of archive.names.filter((each) => /\.(?:xml|rels)$/i.test(each))) {
    const part = await archive.read(name);
    // Decoded here: the converter takes every part for UTF-8.
    if (part !== null) parts[name] = withoutDoctype(decodeMarkup(part).text);
  }
  const { readable, drawnEquations } = readableParts(parts);
  const { value } = await mammoth
    .convertToHtml(
      { buffer: Buffer.from(zipSync(readable, { level: 0 })) },
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
  return {
    title,
    sections: paginate(blocks, title),
    notices: drawnEquations === 0 ? [] : [say("drawnEquations", { count: drawnEquations })],
  };
}

/** The parts with all text that is to be read, and none that is not. */
function readableParts(parts: Readonly<Record<string, string>>): { readable: Record<string, Uint8Array>; drawnEquations: number } {
  const styles = hiddenStyles(Object.keys(parts).flatMap((name) => (/(?:^|\/)styles\d*\.xml$/i.test(name) ? (parts[name] ?? []) : [])));
  const readable: Record<string, Uint8Array> = {};
  let drawnEquations = 0;
  for (const [name, xml] of Object.entries(parts)) {
    const part = readablePart(xml, styles);
    readable[name] = strToU8(part.xml);
    drawnEquations += part.drawnEquations;
  }
  return { readable, drawnEquations };
}

function titleOf(core: string | undefined): string | null {
  if (core === undefined) return null;
  const title =
    xmlElements(core)
      .find(({ name }) => name === "title")
      ?.text.trim() ?? "";
  return title === "" ? null : title;
}
