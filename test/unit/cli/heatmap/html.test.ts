import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { heatmapHtml } from "../../../../electron/cli/heatmap/html.ts";
import { pageStyle } from "../../../../electron/engine/export/pageStyle.ts";
import { documentOf, fileOf, heatmapOf } from "../../support/heatmap.ts";

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
      always: z.array(z.number()),
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
    { scores: (token) => 1 / (token + 1), kept: (token) => token % 9, always: [0, 6, 7, 10] },
  );
  const html = [
    ...heatmapHtml(fileOf(heatmap, [documentOf(name, 1)], { question: `Why <b>?" onload="x`, module: { name: "<i>m", steps: 0 } })),
  ].join("");

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
    expect(page).toMatchObject({
      page: true,
      end: text.length,
      tokens: [0, 1, 2, 3, 4, 5, 7],
      kept: [0, 1, 2, 3, 4, 6, 7],
      always: [0, 5, 6],
    });
    expect(page?.scores[2]).toBe(0.333333);
    expect(page?.starts.map((start, index) => text.slice(start, page.starts[index + 1]))).toEqual([
      ...hostile.slice(0, 5),
      "🚀",
      "שלום &amp;",
    ]);
    expect(question).toMatchObject({ page: false, tokens: [9, 10], always: [1] });
  });

  it("says what the shades and underlines mean", () => {
    expect(html).toContain("top 1 %");
    for (const share of [25, 50, 75]) expect(html).toContain(`kept in ${share} % of the layer-heads or more`);
    expect(html).toContain('<span class="always">always kept: the first tokens, the end of the prompt</span>');
    expect(html).toContain("by rank among the 4 tokens");
    expect(html).toContain('id="shades"');
  });

  it("says what was asked, what stands in for it and what the module has learned", () => {
    const head = (over: Parameters<typeof fileOf>[2], budget = 8) =>
      [...heatmapHtml(fileOf({ ...heatmap, budget }, [documentOf(name, 1)], over))].join("");
    expect(head({})).toContain("Read 11 tokens with tiny. A budget of 8 would keep 8 of them in each of 2 × 4 layer-heads. Policy snapkv.");
    expect(head({ asked: "lookahead" })).toContain("Policy snapkv, in place of lookahead: there is no lookahead module");
    expect(head({}, 5000)).toContain("Nothing would be evicted: the budget of 5,000");
    expect(html).toContain("module “&#60;i&#62;m” (0 steps of training: it has not learned anything)");
    expect(head({ module: { name: "m", steps: 1200 } })).toContain("(1,200 steps of training)");
  });

  it("marks what is always kept by a hatching, and gives it no shade", () => {
    const spans = [...html.matchAll(/<span class="([^"]*)">([^<]*)<\/span>/g)].map(([, look, text]) => [look, text]);
    expect(spans).toContainEqual(["always", hostile[0]?.replace(/[<>"]/g, (character) => `&#${character.charCodeAt(0)};`)]);
    expect(spans.some(([look]) => look?.includes("always") === true && /s\d/.test(look))).toBe(false);
    // The best of the tokens that have a rank has the darkest shade.
    expect(spans).toContainEqual(["s6", "&#60;/script&#62;"]);
    const none = heatmapOf([{ kind: "page", document: "a.pdf", page: 1, pieces: ["a"] }]);
    expect([...heatmapHtml(fileOf(none, [documentOf("a.pdf", 1)]))].join("")).not.toContain('class="always"');
  });

  it("has shades that stand out from the page, and words that stand out from the shades, in the dark too", () => {
    const [light = "", dark = ""] = pageStyle.split("prefers-color-scheme: dark");
    const colour = (style: string, id: string) => new RegExp(`--${id}: #([0-9a-f]+)`).exec(style)?.[1] ?? "";
    const luminance = (hex: string) => {
      const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
      const [red = 0, green = 0, blue = 0] = [0, 2, 4]
        .map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    for (const [style, least] of [
      [light, 1.1],
      [dark, 1.35],
    ] as const) {
      const against = (id: string, shade: string) => {
        const both = [luminance(colour(style, id)), luminance(colour(style, shade))];
        return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
      };
      for (const shade of ["s1", "s2", "s3", "s4", "s5", "s6"]) {
        expect(against("card", shade)).toBeGreaterThan(least);
        expect(against("ink", shade)).toBeGreaterThan(4.5);
      }
    }
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
    const pieces = [...heatmapHtml(fileOf(long, [documentOf("a.pdf", 8)]))].join("");
    expect(pieces.match(/<span/g)?.length).toBeLessThan(count / 30);
    expect(pieces.length).toBeLessThan(count * 40);
    expect(textsOf(pieces).join("")).toBe(" word".repeat(count));
  });

  it("shades nothing without scores, and says so", () => {
    const none = heatmapOf([{ kind: "page", document: "a.pdf", page: 1, pieces: ["a", "b"] }], { kept: (token) => 8 * token });
    const plain = [...heatmapHtml(fileOf(none, [documentOf("a.pdf", 1)]))].join("");
    expect(plain).toContain("no scores");
    expect(plain).not.toContain("top 1 %");
    expect(plain).not.toContain('id="shades"');
    expect(plain).toContain('id="marks"');
    expect(plain).toContain('>a<span class="k3">b</span></div>');
  });
});
