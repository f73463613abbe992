import { describe, expect, it } from "vitest";
import { z } from "zod";
import { heatmapJson } from "../../../../electron/cli/heatmap/json.ts";
import { documentOf, fileOf, heatmapOf, idOf } from "../../support/heatmap.ts";

/** The file's shape as others may rely on it. */
const fileSchema = z.strictObject({
  format: z.literal("longsight-heatmap"),
  version: z.literal(1),
  model: z.string(),
  policy: z.string(),
  askedPolicy: z.string(),
  module: z.strictObject({ name: z.string(), steps: z.int() }).nullable(),
  budget: z.int(),
  keptTokens: z.int(),
  promptTokens: z.int(),
  layers: z.int(),
  heads: z.int(),
  layerHeads: z.int(),
  timings: z.strictObject({ prefillMs: z.number(), scoringMs: z.number(), selectionMs: z.number() }),
  question: z.string(),
  documents: z.array(z.strictObject({ id: z.string(), name: z.string(), kind: z.string(), pages: z.int() })),
  tokens: z.array(
    z.strictObject({
      token: z.int(),
      text: z.string(),
      kind: z.enum(["control", "instruction", "turn", "question", "page"]),
      document: z.int().nullable(),
      page: z.int().nullable(),
      score: z.number(),
      kept: z.int(),
      always: z.boolean(),
    }),
  ),
});

describe("heatmapJson", () => {
  const parts = [
    { kind: "control" as const, pieces: ["<user>"] },
    {
      kind: "page" as const,
      document: "b.pdf",
      page: 3,
      prefix: "[Page 3]\n",
      pieces: ["[Page 3]\n", 'a "b"\u2028', "", "🚀", "שלום", "\n\n"],
    },
    { kind: "question" as const, pieces: ["Why", "?"] },
  ];
  const heatmap = heatmapOf(parts, { begin: 1, scores: (token) => token / 3, kept: (token) => token % 9, always: [0, 9] });
  const documents = [documentOf("a.pdf", 1), documentOf("b.pdf", 5)];
  const text = [...heatmapJson(fileOf(heatmap, documents, { asked: "lookahead", module: { name: "m", steps: 3 } }))].join("");

  it("has what it is of, and an entry for every token", () => {
    const file = fileSchema.parse(JSON.parse(text));
    expect(file).toMatchObject({
      model: "tiny",
      layerHeads: 8,
      promptTokens: 10,
      question: "Why?",
      askedPolicy: "lookahead",
      module: { name: "m", steps: 3 },
    });
    expect(file.documents[1]).toEqual({ id: idOf("b.pdf"), name: "b.pdf", kind: "pdf", pages: 5 });
    expect(file.tokens.map(({ token }) => token)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(file.tokens[0]).toEqual({ token: 0, text: "", kind: "control", document: null, page: null, score: 0, kept: 0, always: true });
    expect(file.tokens[3]).toEqual({ token: 3, text: 'a "b"\u2028', kind: "page", document: 1, page: 3, score: 1, kept: 3, always: false });
    expect(file.tokens.flatMap(({ token, always }) => (always ? [token] : []))).toEqual([0, 9]);
    expect(file.tokens[9]).toMatchObject({ text: "?", kind: "question", document: null, page: null });
  });

  it("gives a split character to the token that begins it, and the texts in order are the prompt", () => {
    const { tokens } = fileSchema.parse(JSON.parse(text));
    expect(tokens.slice(4, 6).map((entry) => entry.text)).toEqual(["🚀", ""]);
    expect(tokens.map((entry) => entry.text).join("")).toBe(parts.flatMap(({ pieces }) => pieces).join(""));
  });

  it("has one token a line, also where there are many", () => {
    expect(text.split("\n").filter((line) => line.startsWith('  {"token":'))).toHaveLength(10);
    const many = heatmapOf([{ kind: "page", document: "a.pdf", page: 1, pieces: new Array<string>(20_000).fill("x ") }]);
    const long = [...heatmapJson(fileOf(many, documents))].join("");
    expect(fileSchema.parse(JSON.parse(long)).tokens).toHaveLength(20_000);
  });
});
