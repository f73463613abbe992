import { z } from "zod";
import { duration, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const wholeSchema = z.object({ restoreMs: z.number(), selectionMs: z.number(), evictionMs: z.number(), totalMs: z.number() });
const schema = z.object({
  promptTokens: z.number().int(),
  policy: z.string(),
  budgets: z.array(z.number().int()),
  rounds: z.number().int(),
  summary: z.object({ preview: z.object({ totalMs: z.number() }), fromDisk: wholeSchema, fromMemory: wholeSchema }),
});

const prompt = { issue: 6, text: "Another budget within 500 ms for 8,000 tokens of SmolLM2" };
const limit = { tokens: 8000, ms: 500 };

export const reselect = benchKind({
  name: "reselect",
  title: "Another budget",
  about:
    "How long another budget takes after an answer: previewed from stored scores, gathered from disk where the full cache was freed, and from a full cache in memory.",
  aims: [prompt],
  schema,
  options: ({ rounds, policy }) => `--rounds ${rounds} --policy ${policy}`,
  show({ promptTokens, policy, budgets, rounds, summary: { preview, fromDisk, fromMemory } }) {
    const row = (name: string, { restoreMs, selectionMs, evictionMs, totalMs }: typeof fromDisk) => [
      name,
      ...[restoreMs, selectionMs, evictionMs, totalMs].map(duration),
    ];
    const slower = Math.max(fromDisk.totalMs, fromMemory.totalMs);
    const both = `${duration(fromDisk.totalMs)} from disk, ${duration(fromMemory.totalMs)} from memory`;
    return {
      subject: `${whole(promptTokens)} tokens, ${policy}`,
      tables: [
        {
          caption: `Medians of ${rounds} rounds over budgets of ${budgets.join(", ")}`,
          columns: [named(""), ...["restoring", "selecting", "keeping", "all"].map(counted)],
          rows: [["preview", "", "", "", duration(preview.totalMs)], row("from disk", fromDisk), row("from memory", fromMemory)],
        },
      ],
      plots: [],
      verdicts: promptTokens >= limit.tokens ? [{ aim: prompt, found: both, isMet: slower <= limit.ms }] : [],
      headlines: [{ what: `another budget for ${whole(promptTokens)} tokens that were read`, figure: both }],
      notes: [],
    };
  },
});
