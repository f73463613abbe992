import { describe, expect, it } from "vitest";
import { escapedHtml, plainMarkdown, quotedMarkdown, tamedMarkdown } from "../../../../electron/engine/export/escape.ts";

describe("an answer as Markdown", () => {
  it.each([
    ["<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"],
    // A backslash in front would have undone a backslash of ours.
    ["\\<img src=x onerror=alert(1)>", "\\&lt;img src=x onerror=alert(1)>"],
    ["![all my words](https://example.org/?q=words)", "&#33;[all my words](https://example.org/?q=words)"],
    ["[here](javascript:alert(1))", "[here]&#40;javascript:alert(1))"],
    ["[here](  JAVASCRIPT:alert(1))", "[here]&#40;  JAVASCRIPT:alert(1))"],
    ["[here](&#106;avascript:alert(1))", "[here]&#40;&#106;avascript:alert(1))"],
    ["[a]: javascript:alert(1)", "[a]&#58; javascript:alert(1)"],
    ["- x\n  ```\n<b>\n  ```", "- x\n  ```\n&lt;b>\n  ```"],
    ["[fine](https://example.org) and **bold**, 3 > 2", "[fine](https://example.org) and **bold**, 3 > 2"],
    ["a\r\nb\rc\0", "a\nb\nc\ufffd"],
  ])("tames %j", (text, tamed) => {
    expect(tamedMarkdown(text)).toBe(tamed);
  });

  it("stays within its quotation, whatever its lines begin with", () => {
    expect(quotedMarkdown("one\n\n## Question 2")).toBe("> one\n> \n> ## Question 2");
  });
});

describe("plain text", () => {
  it("has nothing left that Markdown would take for more", () => {
    const text = "# *a* _b_ `c` [d](e) ![f](g) <h> & 1\n1. i\n2) i\n  - j | k ~l~\n+ m\n===\nIt costs 3.5 - 1 = 2.";
    const plain = plainMarkdown(text);
    expect(plain.replace(/&#\d+;/g, "x")).not.toMatch(/[*_`[\]<>&|~]|^\s*[#+=-]|^\s*\d+[.)]/m);
    expect(plain.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toBe(text);
    expect(plain).toContain("It costs 3.5 - 1 = 2.");
  });

  it("is written at once, however many empty lines it has", () => {
    const started = performance.now();
    plainMarkdown(`a${"\n".repeat(40_000)}b${" ".repeat(40_000)}c`);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("is text in HTML", () => {
    expect(escapedHtml(`<a href="x">'&'</a>\r\0`)).toBe("&#60;a href=&#34;x&#34;&#62;&#39;&#38;&#39;&#60;/a&#62;&#13;\ufffd");
  });
});
