import { posix } from "node:path";
import { say } from "../../../contract/said.ts";
import { type Archive, openArchive } from "./archive.ts";
import { paginate, type Section } from "./blocks.ts";
import { decodeMarkup } from "./decode.ts";
import { MarkupFailure } from "./failure.ts";
import { htmlBlocks } from "./htmlBlocks.ts";
import type { MarkupText } from "./protocol.ts";
import { type XmlElement, xmlElements } from "./xml.ts";

/** Encryptions that hide fonts alone. */
const fontAlgorithms = ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"];
const htmlTypes = ["application/xhtml+xml", "text/html", "application/x-dtbook+xml"];

type Book = { readonly title: string | null; readonly chapters: readonly string[] };

/**
 * Reads an EPUB book: the chapters of its spine in reading order, each beginning a page.
 * @param onChapter called with the chapters that are done and their number in all
 * @throws MarkupFailure; `protected` where its shop has encrypted the text
 */
export async function readEpub(bytes: Uint8Array, onChapter: (done: number, total: number) => void): Promise<MarkupText> {
  const archive = await openArchive(bytes);
  const { title, chapters } = await readPackage(archive);
  const encrypted = await encryptedNames(archive);
  const sections: Section[] = [];
  const missing: string[] = [];
  for (const [index, name] of chapters.entries()) {
    onChapter(index, chapters.length);
    if (encrypted.has(name)) throw new MarkupFailure("protected", `${name} is encrypted`);
    const chapter = await archive.read(name);
    if (chapter === null) missing.push(name);
    else {
      const read = htmlBlocks(decodeMarkup(chapter).text);
      sections.push(...paginate(read.blocks, read.title === title ? null : read.title));
    }
  }
  onChapter(chapters.length, chapters.length);
  if (missing.length === chapters.length) throw new MarkupFailure("damaged", "none of its chapters is there");
  return {
    title,
    sections,
    notices: missing.length === 0 ? [] : [say("missingChapters", { count: missing.length, all: chapters.length })],
  };
}

/** The package document: which files make the book, in which order. */
async function readPackage(archive: Archive): Promise<Book> {
  const container = await elementsOf(archive, "META-INF/container.xml");
  const named = container.find(({ name }) => name === "rootfile")?.attributes["full-path"];
  // A book that lost its container still has its package.
  const path = named ?? archive.names.find((name) => name.endsWith(".opf"));
  if (path === undefined) throw new MarkupFailure("damaged", "it has no package document");
  const elements = await elementsOf(archive, path);
  const items = new Map<string, string>();
  for (const { name, attributes } of elements) {
    const { id, href } = { id: attributes["id"], href: attributes["href"] };
    if (name !== "item" || id === undefined || href === undefined) continue;
    if (htmlTypes.includes(attributes["media-type"] ?? "")) items.set(id, nameOf(path, href));
  }
  const spine = elements.filter(({ name }) => name === "itemref").map(({ attributes }) => items.get(attributes["idref"] ?? ""));
  const chapters = spine.flatMap((name) => name ?? []);
  if (chapters.length === 0) throw new MarkupFailure("damaged", "its spine names no chapter");
  const title = elements
    .find(({ name, text }) => name === "title" && text.trim() !== "")
    ?.text.replace(/\s+/g, " ")
    .trim();
  return { title: title ?? null, chapters: [...new Set(chapters)] };
}

/** The archive's name for a reference from one of its files; what leads out of the archive is the name of nothing. */
function nameOf(from: string, reference: string): string {
  const plain = reference.replace(/[#?].*$/s, "");
  let decoded = plain;
  try {
    decoded = decodeURIComponent(plain);
  } catch {
    // A stray percent sign stands for itself.
  }
  return posix.join(posix.dirname(from), decoded);
}

async function encryptedNames(archive: Archive): Promise<ReadonlySet<string>> {
  const elements = await elementsOf(archive, "META-INF/encryption.xml");
  const names = new Set<string>();
  let algorithm = "";
  // In order of their ends: the method comes before the reference, both inside what they belong to.
  for (const { name, attributes } of elements) {
    if (name === "EncryptionMethod") algorithm = attributes["Algorithm"] ?? "";
    else if (name === "CipherReference" && !fontAlgorithms.includes(algorithm)) names.add(nameOf("root", attributes["URI"] ?? ""));
  }
  return names;
}

async function elementsOf(archive: Archive, name: string): Promise<XmlElement[]> {
  const bytes = await archive.read(name);
  return bytes === null ? [] : xmlElements(decodeMarkup(bytes).text);
}
