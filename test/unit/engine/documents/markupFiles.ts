import { strToU8, type Zippable, zipSync } from "fflate";

const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const officeDocument = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";

/** A paragraph of a Word document. */
export function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A Word document with this body; `more` are further parts, or others in place of its own. */
export function makeDocx(body: string, more: Zippable = {}): Uint8Array {
  const styles = [1, 2].map(
    (level) => `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`,
  );
  return zipSync({
    "[Content_Types].xml": strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    ),
    "_rels/.rels": strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${officeDocument}" Target="word/document.xml"/></Relationships>`,
    ),
    "word/styles.xml": strToU8(`<w:styles ${wordNamespace}>${styles.join("")}</w:styles>`),
    "word/document.xml": strToU8(`<?xml version="1.0"?><w:document ${wordNamespace}><w:body>${body}</w:body></w:document>`),
    ...more,
  });
}

/** An EPUB book with these chapters, each the body of a page of XHTML. */
export function makeEpub(chapters: readonly string[], more: Zippable = {}): Uint8Array {
  const items = chapters.map((_, index) => `<item id="c${index}" href="text/c%20${index}.xhtml" media-type="application/xhtml+xml"/>`);
  const spine = chapters.map((_, index) => `<itemref idref="c${index}"/>`);
  const files = Object.fromEntries(
    chapters.map((body, index) => [
      `OEBPS/text/c ${index}.xhtml`,
      strToU8(
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/></head><body>${body}</body></html>`,
      ),
    ]),
  );
  return zipSync({
    mimetype: [strToU8("application/epub+zip"), { level: 0 }],
    "META-INF/container.xml": strToU8(
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    ),
    "OEBPS/book.opf": strToU8(
      `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Tides &amp; Sands</dc:title></metadata><manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
    ),
    ...files,
    ...more,
  });
}

/**
 * The archive with another unpacked size in the directory's record of an entry, and in the entry's own header: what a bomb says that lies.
 */
export function withSizeSaid(archive: Uint8Array, name: string, size: number): Uint8Array {
  const bytes = Buffer.from(archive);
  const records = [
    { mark: "PK\x03\x04", sizeAt: 22, nameAt: 30 },
    { mark: "PK\x01\x02", sizeAt: 24, nameAt: 46 },
  ];
  for (const { mark, sizeAt, nameAt } of records) {
    for (let at = bytes.indexOf(mark, 0, "latin1"); at >= 0; at = bytes.indexOf(mark, at + 1, "latin1")) {
      if (bytes.toString("latin1", at + nameAt, at + nameAt + name.length) === name) bytes.writeUInt32LE(size, at + sizeAt);
    }
  }
  return bytes;
}
