import { describe, expect, it } from "vitest";
import { plotFiles } from "../../../../bench/report/pages.tsx";
import { shortName } from "../../../../bench/report/pdfName.ts";
import { machine, reportOf } from "./files.ts";

const head = { date: "2026-11-30T16:40:38.343Z", commit: "3105959", machine, command: "npm run bench -- app", rounds: 3 };
const opened = (name: string, pages: number, drawnMs: number) => ({ name, pages, bytes: 500_000, textMs: drawnMs / 2, drawnMs });

const openFile = {
  ...head,
  bench: "app-open",
  electron: "22.3.25 (wheel)",
  documents: "real",
  summary: {
    first: opened("made-2-pages.pdf", 2, 800),
    documents: [opened("pdfjs__short.pdf", 1, 300), opened("long__manual.pdf", 715, 9000)],
    medianMs: 4650,
    longestMs: 9000,
  },
  runs: [{ load: 0.2, refused: ["broken.pdf"] }],
};

const textFile = {
  ...head,
  bench: "app-text",
  documents: "real",
  beside: { name: "pdf.js", version: "5.6.205" },
  missing: null,
  longPages: 20,
  all: { longsight: 80, "pdf.js": 120 },
  long: { longsight: 90, "pdf.js": 150 },
  summary: [
    { name: "short.pdf", pages: 1, by: [{ reader: "longsight", ms: 50, characters: 900 }] },
    {
      name: "manual.pdf",
      pages: 715,
      by: [
        { reader: "longsight", ms: 7150, characters: 1_200_000 },
        { reader: "pdf.js", ms: 4767, characters: 1_190_000 },
      ],
    },
  ],
  turns: [
    { reader: "longsight", load: 0.1, refused: [] },
    { reader: "pdf.js", load: 0.4, refused: [{ name: "short.pdf", reason: "It is damaged." }] },
  ],
};

const action = (name: string, phase: string, input95Ms: number) => ({
  action: name,
  phase,
  inputs: 165,
  inputMedianMs: input95Ms / 2,
  input95Ms,
  inputLongestMs: 2 * input95Ms,
  frames: 250,
  longestFrameMs: 60,
  framesOver: 1,
  longestTaskMs: 40,
  longestThreadMs: 12,
});
const busyFile = {
  ...head,
  bench: "app-busy",
  electron: "22.3.25 (wheel)",
  documentTokens: 30_877,
  limitMs: 50,
  summary: [action("type a question", "at rest", 20), action("type a question", "while reading", 44)],
  runs: [{ load: 0.3 }],
};

const report = reportOf({ "open.json": openFile, "text.json": textFile, "busy.json": busyFile });
const shownOf = (kind: string) => report.sections.find((section) => section.kind === kind)?.groups[0]?.runs[0]?.shown;

describe("the report of the app", () => {
  it("understands every part, and one without the others", () => {
    expect(report.leftOut).toEqual([]);
    expect(report.sections.map(({ kind }) => kind)).toEqual(["app-open", "app-text", "app-busy"]);
    expect(reportOf({ "text.json": textFile }).sections.map(({ kind }) => kind)).toEqual(["app-text"]);
  });

  it("has documents with the time to their text and to their first page, and those that were not opened", () => {
    const shown = shownOf("app-open");
    expect(shown?.tables[0]?.rows.at(-1)).toEqual(["long__manual.pdf", "715", "0.5 MB", "4.5 s", "9.0 s"]);
    expect(shown?.notes.at(-1)).toBe("Not opened: broken.pdf.");
  });

  it("has both readers side by side, a dash where one did not read, and why", () => {
    const [speeds, documents] = shownOf("app-text")?.tables ?? [];
    expect(speeds?.rows).toEqual([
      ["all", "80", "120"],
      ["of 20 pages and more", "90", "150"],
    ]);
    expect(documents?.rows[0]).toEqual(["short.pdf", "1", "50 ms", "20", "900", "–", "–", "–"]);
    expect(shownOf("app-text")?.notes.at(-1)).toBe("Not read by pdf.js: short.pdf: It is damaged.");
  });

  it("does without pdf.js where it could not be had, and says so", () => {
    const [first] = textFile.turns;
    const alone = { ...textFile, beside: null, missing: "npm could not fetch it.", all: { longsight: 80 }, long: { longsight: 90 } };
    const own = { ...alone, summary: textFile.summary.map(({ by, ...text }) => ({ ...text, by: by.slice(0, 1) })), turns: [first] };
    const { sections, leftOut, headlines } = reportOf({ "text.json": own });
    expect(leftOut).toEqual([]);
    expect(headlines.map(({ headline }) => headline.figure)).toEqual(["longsight 90"]);
    expect(sections[0]?.groups[0]?.runs[0]?.shown.notes).toContain("Without pdf.js. npm could not fetch it.");
  });

  it("has headlines of all parts; of the window only while the engine reads", () => {
    expect(report.headlines.map(({ headline }) => headline.figure)).toEqual([
      "4.7 s in the middle, 9.0 s at most",
      "longsight 90, pdf.js 150",
      "22 ms in the middle, 19 of 20 within 44 ms",
    ]);
  });

  it("has plots of long documents alone, with names that leave room for the bars", () => {
    const svg = [...plotFiles(report)].find(([name]) => name.includes("text-pages"))?.[1] ?? "";
    expect(svg.match(/>manual, [^<]+</g)).toEqual([">manual, longsight<", ">manual, pdf.js<"]);
    expect(shortName("pdfbox__PDFBOX-3127-RAU4G6QMOVRYBISJU7R6MOVZCRFUO7P4-VFont.pdf")).toBe("PDFBOX-3127-RAU4G6QMOVRYB…");
  });
});
