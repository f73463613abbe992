import { z } from "zod";
import { decimal, duration, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const schema = z.object({
  runs: z.number().int(),
  sorts: z.number().int(),
  tokens: z.number().int(),
  loadBefore: z.number(),
  figures: z
    .array(
      z.object({
        model: z.string(),
        layers: z.number().int(),
        heads: z.number().int(),
        scores: z.string(),
        budget: z.number().int(),
        limited: z.boolean(),
        selectionMs: z.number(),
        processorMs: z.number(),
        sortingMs: z.number().optional(),
      }),
    )
    .min(1),
});

const limitMs = 150;
const quick = { issue: 4, text: "Selecting from 32,768 tokens takes under 150 ms (SmolLM2 and Qwen)" };

export const selection = benchKind({
  name: "selection",
  title: "Selecting",
  about:
    "Max-pooling and the top of every layer and head, one thread, against the same by sorting, which it must equal. The kinds of scores are those that a radix select could stumble over.",
  aims: [quick],
  schema,
  options: ({ runs, sorts }) => `--runs ${runs} --sorts ${sorts}`,
  show({ runs, tokens, loadBefore, figures }) {
    const limited = figures.filter((figure) => figure.limited).map(({ selectionMs }) => selectionMs);
    const slowest = Math.max(...limited);
    return {
      subject: `${whole(tokens)} tokens`,
      tables: [
        {
          caption: `Medians of ${runs} runs, ms`,
          columns: [
            named("model"),
            named("layers × KV heads"),
            named("scores"),
            ...["budget", "selecting", "of the processor", "by sorting"].map(counted),
          ],
          rows: figures.map(({ model, layers, heads, scores, budget, selectionMs, processorMs, sortingMs }) => [
            model,
            `${layers} × ${heads}`,
            scores,
            whole(budget),
            decimal(selectionMs, 1),
            decimal(processorMs, 1),
            sortingMs === undefined ? "" : decimal(sortingMs, 0),
          ]),
        },
      ],
      plots: [],
      verdicts:
        tokens === 32_768 && limited.length > 0 ? [{ aim: quick, found: `at most ${duration(slowest)}`, isMet: slowest < limitMs }] : [],
      headlines: [],
      notes: [`Load of the machine before: ${decimal(loadBefore, 1)}.`],
    };
  },
});
