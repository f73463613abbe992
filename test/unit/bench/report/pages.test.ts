import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { headlineMarkdown, withHeadlines } from "../../../../bench/report/headlines.ts";
import { reportMarkdown } from "../../../../bench/report/markdown.ts";
import { plotFiles, reportHtml } from "../../../../bench/report/pages.tsx";
import { loadFile, needlesFile, otherMachine, reportOf, shippedHash } from "./files.ts";

const hostile = '<script>alert("x")</script>|`_*\n# not a heading';
const report = reportOf({
  "load.json": loadFile(4.5),
  "load-other.json": { ...loadFile(3), machine: { ...otherMachine, cpu: hostile } },
  "needles.json": needlesFile({ name: hostile, sha256: shippedHash }, [16, 20]),
  "odd.json": { bench: hostile },
});

type Element = { readonly name: string; readonly attributes: Readonly<Record<string, string>>; readonly parents: readonly string[] };

/** Every element of a page in its order. @throws Error for text that closes what is not open */
function elementsOf(text: string, xmlMode: boolean): Element[] {
  const elements: Element[] = [];
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements.push({ name, attributes, parents: [...open] });
        open.push(name);
      },
      onclosetag(name) {
        expect(open.pop()).toBe(name);
      },
    },
    { xmlMode },
  );
  parser.end(text);
  return elements;
}

describe("the page", () => {
  const html = reportHtml(report);
  const elements = elementsOf(html, false);
  const named = (name: string) => elements.filter((element) => element.name === name);

  it("needs nothing else: no script, no address, no other file", () => {
    expect(named("script")).toEqual([]);
    expect(named("link")).toEqual([]);
    expect(elements.filter(({ attributes }) => "src" in attributes || "href" in attributes)).toEqual([]);
    expect(html).not.toMatch(/url\(|@import|https?:/);
  });

  it("says its language, and has headings without a gap", () => {
    expect(named("html").map(({ attributes }) => attributes["lang"])).toEqual(["en"]);
    const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? Number(name[1]) : []));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, index) => {
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    });
  });

  it("has tables with captions and scopes", () => {
    expect(named("table").length).toBeGreaterThan(2);
    expect(named("caption")).toHaveLength(named("table").length);
    for (const { attributes, parents } of named("th")) expect(attributes["scope"]).toBe(parents.includes("thead") ? "col" : "row");
  });

  it("has plots that are named, and no name twice", () => {
    const plots = named("svg");
    expect(plots.length).toBeGreaterThan(0);
    const ids = elements.flatMap(({ attributes }) => attributes["id"] ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { attributes } of plots) {
      expect(attributes["role"]).toBe("img");
      expect(ids).toContain(attributes["aria-labelledby"]);
    }
  });

  it("is for day and night", () => {
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).toContain("color-scheme: light dark");
  });

  it("says first what falls short", () => {
    const places = ["Aims that are missed", "Decoding beside two busy loops", "<table"].map((text) => html.indexOf(text));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(Math.min(...places)).toBeGreaterThan(0);
  });
});

describe("plots as files", () => {
  it("are whole SVG with a style of their own, and without what is no number", () => {
    const plots = plotFiles(report);
    expect([...plots.keys()]).toEqual(["plots/needles-found.svg"]);
    for (const svg of plots.values()) {
      const [first] = elementsOf(svg, true);
      expect(first?.attributes["xmlns"]).toBe("http://www.w3.org/2000/svg");
      expect(svg).toContain("prefers-color-scheme: dark");
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  it("are left out where there is no point", () => {
    const nothing = needlesFile({ name: "own", sha256: shippedHash }, [0, 0]);
    const summary = { answered: 0, found: nothing.summary.found.map((cell) => ({ ...cell, found: 0, share: null })) };
    const empty = reportOf({ "needles.json": { ...nothing, summary } });
    expect(empty.leftOut).toEqual([]);
    expect([...plotFiles(empty).keys()]).toEqual([]);
  });
});

describe("Markdown", () => {
  const markdown = reportMarkdown(report);

  it("says first what falls short, and what was left out", () => {
    expect(markdown.indexOf("## Aims that are missed")).toBeLessThan(markdown.indexOf("| "));
    expect(markdown).toContain("4.50 times");
    expect(markdown).toContain("## Raw files that are left out");
  });

  it("takes names from files for nothing but text", () => {
    expect(markdown).not.toContain("<script");
    expect(markdown).not.toMatch(/^# not a heading/m);
    const rows = markdown.split("\n").filter((line) => line.startsWith("| &lt;script>"));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.split(/(?<!\\)\|/)).toHaveLength(5);
  });
});

describe("the README's table", () => {
  const readme = `# Top\n<!-- Written by npm run bench -- report: begin -->\nold\n<!-- Written by npm run bench -- report: end -->\nrest\n`;

  it("takes the place between the marks, and nothing else", () => {
    const written = withHeadlines(readme, headlineMarkdown(report));
    expect(written).toMatch(/^# Top\n<!-- .* -->\n\| what \| figure \|/);
    expect(written).toMatch(/-->\nrest\n$/);
    expect(written).not.toContain("old");
    expect(withHeadlines(written, headlineMarkdown(report))).toBe(written);
    expect(written).toContain("2 aims are missed");
  });

  it("is refused where a mark is missing or there twice", () => {
    for (const broken of ["# Top\n", readme.replace(/.*end.*\n/, ""), readme + readme]) {
      expect(() => withHeadlines(broken, "table")).toThrow("README.md needs one line");
    }
  });
});
