import { describe, expect, it } from "vitest";
import { sniff } from "../../../../electron/engine/documents/sniff.ts";

function kind(content: string, name: string): string {
  const found = sniff(Buffer.from(content, "latin1"), name);
  return "looksLike" in found ? found.looksLike.message : found.kind;
}

describe("sniff", () => {
  it.each([
    ["%PDF-1.4\n", "paper", "pdf"],
    ["%PDF-1.4\n", "renamed.txt", "pdf"],
    ["MIME-Version: 1.0\n\n%PDF-1.4\n", "mail.pdf", "pdf"],
    ["How to write a %PDF-1.4 header", "howto.txt", "text"],
    ["4 0 obj <</Length 3>> stream", "headless.pdf", "pdf"],
    ["# Title", "readme.MD", "markdown"],
    ["plain", "notes", "text"],
    ["a,b\n1,2\n", "table.csv", "text"],
    ["plain", "letter.pdf", "plain text"],
    ["<html><body>", "download.pdf", "a web page (HTML)"],
    ["<html><body>", "saved.html", "html"],
    ["<p>No begin", "part.htm", "html"],
    ["\n<!DOCTYPE html><p>", "download", "html"],
    ['<?xml version="1.0"?>\n<!DOCTYPE html><html>', "page.xml", "html"],
    ["<html><body>", "source.txt", "text"],
    ["How to write <html>", "howto", "text"],
    ["\xff\xd8\xff\xe0", "photo.txt", "a JPEG picture"],
    ["PK\x03\x04mimetypeapplication/epub+zip", "book.epub", "epub"],
    ["PK\x03\x04META-INF/container.xml", "late.epub", "epub"],
    ["PK\x03\x04META-INF/MANIFEST.MF", "code.jar", "a zip archive"],
    ["PK\x03\x04[Content_Types].xml word/document.xml", "letter.docx", "docx"],
    ["PK\x03\x04[Content_Types].xml xl/workbook.xml word/document.xml", "both.zip", "an Excel workbook"],
    ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "locked.docx", "a Word document that is locked with a password"],
    ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old.doc", "an older Word, Excel or PowerPoint file"],
    ["PK\x03\x04xl/workbook.xml", "sheet.xlsx", "an Excel workbook"],
    ["PK\x03\x04readme", "files.pdf", "a zip archive"],
    ["{\\rtf1\\ansi", "old.rtf", "a rich text (RTF) file"],
    ["GGUF\x03\0\0\0", "model.gguf", "a model file"],
    ["abc\0def", "data.txt", "neither a PDF nor text"],
    ["\xff\xfea\0b\0", "wide.txt", "text"],
    ["caf\xe9", "latin.txt", "text"],
  ])("tells %j named %s", (content, name, expected) => {
    expect(kind(content, name)).toBe(expected);
  });
});
