import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { heatmapHtml } from "../../../../electron/cli/heatmap/html.ts";
import { documentOf, heatmapOf } from "./support.ts";

const dataSchema = z.object({
  layerHeads: z.number(),
  scored: z.boolean(),
  parts: z.array(
    z.object({
      page: z.boolean(),
      end: z.number(),
      starts: z.array(z.number()),
      tokens: z.array(z.number()),
      scores: z.array(z.number()),
      kept: z.array(z.number()),
    }),
  ),
});

const scriptOf = (html: string) => /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
const dataOf = (html: string) =>
  dataSchema.parse(JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/.exec(html)?.[1] ?? ""));

/** The texts as a browser has them: elements away, references resolved. */
function textsOf(html: string): string[] {
  return [...html.matchAll(/<div class="text"[^>]*>([\s\S]*?)<\/div>/g)].map((match) =>
    (match[1] ?? "").replace(/<\/?span[^>]*>/g, "").replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
  );
}

const hostile = [
  `<script>alert("1")`,
  `</script>`,
  ` & 'x' <img src=x onerror=y>`,
  `</div></section>`,
  "\r\0\u202e",
  "",
  "🚀",
  "שלום &amp;",
  "\n\n",
];

describe("heatmapHtml", () => {
  const name = `"><script>x</script>.pdf`;
  const heatmap = heatmapOf(
    [
      { kind: "page", document: name, page: 1, pieces: hostile },
      { kind: "question", pieces: ["Why", " <b>?"] },
    ],
    { scores: (token) => 1 / (token + 1), kept: (token) => token % 9 },
  );
  const html = [...heatmapHtml({ heatmap, question: `Why <b>?" onload="x`, documents: [documentOf(name, 1)] })].join("");

  it("shows any text as text", () => {
    expect(textsOf(html)).toEqual([hostile.join("").slice(0, -2).replace("\0", "\ufffd"), "Why <b>?"]);
    // The elements are ours alone, and none has an attribute that runs or fetches something.
    const allowed =
      /^<(?:!doctype html|\/?(?:html|head|meta|title|style|body|header|h1|h2|h3|p|ul|li|span|fieldset|label|input|main|section|div|bdi|script)\b[^<>]*)>$/;
    const withoutCode = html.replace(scriptOf(html), "").replace(/<style>[\s\S]*?<\/style>/, "<style></style>");
    for (const tag of withoutCode.match(/<[^>]*>?/g) ?? []) {
      expect(tag).toMatch(allowed);
      expect(tag).not.toMatch(/\s(?:on\w+|src|href|style)\s*=/i);
    }
    expect(withoutCode.match(/<script/g)).toHaveLength(2);
  });

  it("lets nothing run or load but its own script and style", () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
    const hash = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src ${hash(scriptOf(html))};`);
    expect(policy).toContain(`style-src ${hash(/<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "")};`);
    expect(policy).not.toMatch(/unsafe|http|\*/);
    expect(html).not.toMatch(/https?:\/\//);
  });

  it("has the numbers of each token beside its place in the text", () => {
    const { parts, ...rest } = dataOf(html);
    expect(rest).toEqual({ layerHeads: 8, scored: true });
    const [page, question] = parts;
    const text = hostile.join("").slice(0, -2);
    expect(page).toMatchObject({ page: true, end: text.length, tokens: [0, 1, 2, 3, 4, 5, 7], kept: [0, 1, 2, 3, 4, 6, 7] });
    expect(page?.scores[2]).toBe(0.333333);
    expect(page?.starts.map((start, index) => text.slice(start, page.starts[index + 1]))).toEqual([
      ...hostile.slice(0, 5),
      "🚀",
      "שלום &amp;",
    ]);
    expect(question).toMatchObject({ page: false, tokens: [9, 10] });
  });

  it("says what the shades and underlines mean", () => {
    expect(html).toContain("top 1 %");
    expect(html).toContain("kept in 75 % of the heads or more");
    expect(html).toContain("Read 11 tokens");
  });

  it("has few elements, however many tokens: neighbours of one look share one", () => {
    const count = 32_000;
    const page = (number: number) => ({
      kind: "page" as const,
      document: "a.pdf",
      page: number,
      pieces: new Array<string>(count / 8).fill(" word"),
    });
    const long = heatmapOf([1, 2, 3, 4, 5, 6, 7, 8].map(page), {
      // Runs of forty tokens.
      scores: (token) => ((Math.floor(token / 40) * 7919) % 1000) / 1000,
      kept: (token) => (Math.floor(token / 40) * 31) % 9,
    });
    const pieces = [...heatmapHtml({ heatmap: long, question: "?", documents: [documentOf("a.pdf", 8)] })].join("");
    expect(pieces.match(/<span/g)?.length).toBeLessThan(count / 30);
    expect(pieces.length).toBeLessThan(count * 40);
    expect(textsOf(pieces).join("")).toBe(" word".repeat(count));
  });

  it("shades nothing without scores, and says so", () => {
    const none = heatmapOf([{ kind: "page", document: "a.pdf", page: 1, pieces: ["a", "b"] }], { kept: (token) => 8 * token });
    const plain = [...heatmapHtml({ heatmap: none, question: "?", documents: [documentOf("a.pdf", 1)] })].join("");
    expect(plain).toContain("no scores");
    expect(plain).not.toContain("top 1 %");
    expect(plain).toContain('>a<span class="k3">b</span></div>');
  });
});
