// Makes the sample document assets/samples/longsight-sample.pdf: node scripts/sample.mjs
// Text and layout are Longsight's own (MIT); the fonts are two of the standard ones that every PDF reader has.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { root, writeWhole } from "./files.mjs";

const target = join(root, "assets", "samples", "longsight-sample.pdf");
const source = join(root, "assets", "samples", "longsight-sample.md");

const page = { width: 595.28, height: 841.89, margin: 72 };
const styles = {
  title: { size: 22, above: 0, below: 14, bold: true },
  heading: { size: 14, above: 14, below: 6, bold: true },
  text: { size: 11, above: 0, below: 8, bold: false },
  item: { size: 11, above: 0, below: 4, bold: false },
};
const leading = 1.4;

/** The little of Markdown that the source uses: #, ##, lists, paragraphs, and a line of dashes for a new page. */
function blocksOf(markdown) {
  return markdown
    .split(/\n{2,}|\n(?=- )/)
    .map((block) => block.trim().replace(/\s*\n\s*/g, " "))
    .filter((block) => block !== "")
    .map((block) => {
      if (/^-{3,}$/.test(block)) return { kind: "break", text: "" };
      if (block.startsWith("## ")) return { kind: "heading", text: block.slice(3) };
      if (block.startsWith("# ")) return { kind: "title", text: block.slice(2) };
      if (block.startsWith("- ")) return { kind: "item", text: block.slice(2) };
      return { kind: "text", text: block };
    });
}

function linesOf(text, font, size, width) {
  const lines = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && font.widthOfTextAtSize(longer, size) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

/** @returns {Promise<Uint8Array>} the sample document; the same bytes for the same source */
export async function makeSample() {
  const document = await PDFDocument.create({ updateMetadata: false });
  const regular = await document.embedFont(StandardFonts.Helvetica);
  const bold = await document.embedFont(StandardFonts.HelveticaBold);
  const day = new Date(Date.UTC(2026, 10, 29));
  document.setTitle("Merle 40 garden pump: owner's manual");
  document.setAuthor("Longsight contributors");
  document.setSubject("A made-up manual to try questions on, free to copy and change (MIT)");
  document.setLanguage("en");
  document.setCreationDate(day);
  document.setModificationDate(day);

  let sheet = document.addPage([page.width, page.height]);
  let y = page.height - page.margin;
  const turn = () => {
    sheet = document.addPage([page.width, page.height]);
    y = page.height - page.margin;
  };
  for (const { kind, text } of blocksOf(await readFile(source, "utf8"))) {
    if (kind === "break") {
      turn();
      continue;
    }
    const { size, above, below, bold: heavy } = styles[kind];
    const font = heavy ? bold : regular;
    const indent = kind === "item" ? 16 : 0;
    const lines = linesOf(text, font, size, page.width - 2 * page.margin - indent);
    y -= above;
    // A heading stays with the two lines that follow it.
    if (y - lines.length * size * leading - (heavy ? 40 : 0) < page.margin) turn();
    if (kind === "item") sheet.drawText("•", { x: page.margin + 4, y: y - size, size, font });
    for (const line of lines) {
      y -= size * leading;
      sheet.drawText(line, { x: page.margin + indent, y: y + size * (leading - 1), size, font });
    }
    y -= below;
  }
  return document.save();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeWhole(target, await makeSample());
  console.log(target);
}
