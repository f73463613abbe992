import { describe, expect, it } from "vitest";
import { decodeText, splitPages } from "../../../../electron/engine/documents/plainText.ts";

describe("decodeText", () => {
  it("reads UTF-8 with and without its mark, and UTF-16 of both orders", () => {
    expect(decodeText(Buffer.from("Grüße 漢字", "utf8"))).toEqual({ text: "Grüße 漢字", notices: [] });
    expect(decodeText(Buffer.from("\ufeffGrüße", "utf8")).text).toBe("Grüße");
    const little = Buffer.from("\ufeffGrüße 😀", "utf16le");
    expect(decodeText(little).text).toBe("Grüße 😀");
    expect(decodeText(Buffer.from(little).swap16()).text).toBe("Grüße 😀");
  });

  it("reads the rest as Windows-1252 and says so", () => {
    const { text, notices } = decodeText(Uint8Array.from([0x93, 0x47, 0x72, 0xfc, 0xdf, 0x65, 0x94, 0x20, 0x80, 0x35]));
    expect(text).toBe("“Grüße” €5");
    expect(notices).toHaveLength(1);
  });

  it("makes every line end one", () => {
    expect(decodeText(Buffer.from("a\r\nb\rc\n")).text).toBe("a\nb\nc\n");
  });
});

describe("splitPages", () => {
  const paragraph = (number: number): string => `Paragraph ${number}. ${"Some words of a paragraph. ".repeat(20)}`.trim();

  it("ends pages at paragraphs and loses nothing", () => {
    const text = Array.from({ length: 30 }, (_, index) => paragraph(index)).join("\n\n");
    const pages = splitPages(text);
    expect(pages.join("\n\n")).toBe(text);
    expect(pages.length).toBeGreaterThan(4);
    for (const page of pages.slice(0, -1)) expect(Math.abs(page.length - 3000)).toBeLessThan(1500);
    for (const page of pages) expect(page.startsWith("Paragraph")).toBe(true);
  });

  it("cuts a paragraph without end between words, and never inside a character", () => {
    for (const page of splitPages("word ".repeat(3000))) expect(page).toMatch(/^(word ?)+$/);
    const emoji = splitPages("😀".repeat(5000));
    expect(emoji.join("")).toBe("😀".repeat(5000));
    for (const page of emoji) expect(page).toMatch(/^(?:😀)+$/u);
  });

  it("does not look for ever through one long run of blanks", () => {
    const started = performance.now();
    const pages = splitPages(`first${" ".repeat(8_000_000)}last`);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(pages.map((page) => page.trim()).filter((page) => page !== "")).toEqual(["first", "last"]);
  });

  it("starts a page at a form feed and keeps indents", () => {
    expect(splitPages("one\f\n\n  two\n\f\f")).toEqual(["one", "  two"]);
    expect(splitPages("")).toEqual([""]);
  });
});
