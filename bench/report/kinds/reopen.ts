import { z } from "zod";
import { decimal, duration, percent, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const startSchema = z.object({
  documentTokens: z.number().positive(),
  promptTokens: z.number(),
  evaluatedTokens: z.number(),
  restoreMs: z.number(),
  prefillMs: z.number(),
  firstTokenMs: z.number().positive(),
});
const schema = z.object({
  budget: z.union([z.number(), z.literal("full")]),
  rounds: z.number().int(),
  load: z.number(),
  isSameAnswer: z.boolean(),
  cold: startSchema,
  reopened: startSchema,
});

const quick = { issue: 6, text: "First token after a restart within 20 % of the cold time" };
const little = { issue: 6, text: "Fewer than 5 % of the document's tokens are read again" };
const same = { issue: 6, text: "The same answer as from a cold start" };

export const reopen = benchKind({
  name: "reopen",
  title: "Reopening",
  about:
    "Time to the first token about a document that an earlier start has read, against a start that finds nothing on disk. Each start is a process of its own.",
  aims: [quick, little, same],
  schema,
  show({ budget, rounds, load, isSameAnswer, cold, reopened }) {
    const time = reopened.firstTokenMs / cold.firstTokenMs;
    const again = reopened.evaluatedTokens / reopened.documentTokens;
    const row = (name: string, show: (start: typeof cold) => string) => [name, show(cold), show(reopened)];
    return {
      subject: `document of ${whole(reopened.documentTokens)} tokens, budget ${budget}`,
      tables: [
        {
          caption: `Medians of ${rounds} rounds`,
          columns: [named(""), counted("cold"), counted("reopened")],
          rows: [
            row("first token after", ({ firstTokenMs }) => duration(firstTokenMs)),
            row("restoring", ({ restoreMs }) => duration(restoreMs)),
            row("reading", ({ prefillMs }) => duration(prefillMs)),
            row("tokens that were read", ({ evaluatedTokens, promptTokens }) => `${whole(evaluatedTokens)} of ${whole(promptTokens)}`),
          ],
        },
      ],
      plots: [],
      verdicts: [
        { aim: quick, found: percent(time), isMet: time <= 0.2 },
        { aim: little, found: percent(again), isMet: again < 0.05 },
        { aim: same, found: isSameAnswer ? "it is" : "it is not", isMet: isSameAnswer },
      ],
      headlines: [
        {
          what: `first token about a document of ${whole(reopened.documentTokens)} tokens after a restart, by the cold time`,
          figure: `${percent(time)} (${duration(reopened.firstTokenMs)} of ${duration(cold.firstTokenMs)}), ${whole(reopened.evaluatedTokens)} tokens read again`,
        },
      ],
      notes: [`Load of the machine before: ${decimal(load, 1)}.`],
    };
  },
});
