import { z } from "zod";
import { decimal, megabytes, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const courseSchema = z.object({ before: z.number().positive(), after: z.number(), isRising: z.boolean() });
const schema = z.object({
  command: z.string(),
  model: z.object({ id: z.string() }),
  answerTokens: z.number().int(),
  promptTokens: z.number().int(),
  answerEvictions: z.number().int(),
  load: z.number(),
  verdict: z.object({ resident: courseSchema, cache: courseSchema, time: courseSchema, cpu: courseSchema }),
  intervals: z.array(z.object({ from: z.number(), residentBytes: z.number(), cacheBytes: z.number() })).min(3),
});

const steady = { issue: 6, text: "An answer of 20,000 tokens without a rise in memory or time per token" };

export const longAnswer = benchKind({
  name: "long-answer",
  title: "Long answers",
  about:
    "An answer that is much longer than its budget. After a quarter of it, the second half of the rest is held against the first: caches may not rise at all, resident memory by 2 %, times by 10 %.",
  aims: [steady],
  schema,
  show({ model, answerTokens, promptTokens, answerEvictions, load, verdict, intervals }) {
    const { resident, cache, time, cpu } = verdict;
    const milliseconds = (value: number) => `${decimal(value, 1)} ms`;
    const row = (name: string, { before, after, isRising }: typeof time, show: (value: number) => string) => [
      name,
      show(before),
      show(after),
      isRising ? "rises" : "no",
    ];
    const isRising = [resident, cache, time, cpu].some((course) => course.isRising);
    const both = ({ before, after }: typeof time, show: (value: number) => string) => `${show(before)} and ${show(after)}`;
    const figure = `caches ${both(cache, megabytes)}, resident memory ${both(resident, megabytes)}, a token ${both(time, milliseconds)}`;
    return {
      subject: `${model.id}, ${whole(answerTokens)} tokens`,
      tables: [
        {
          caption: `${whole(answerTokens)} tokens behind a prompt of ${whole(promptTokens)}, ${answerEvictions} evictions while answering`,
          columns: [named(""), ...["first half", "second half", "rise"].map(counted)],
          rows: [
            row("caches", cache, megabytes),
            row("resident memory", resident, megabytes),
            row("a token, by the clock", time, milliseconds),
            row("a token, by the processor", cpu, milliseconds),
          ],
        },
      ],
      plots: [
        {
          form: "lines",
          name: "memory",
          title: `Memory while ${whole(answerTokens)} tokens are written: ${model.id}`,
          x: { label: "token of the answer", scale: "linear" },
          y: { label: "MB" },
          series: [
            { name: "resident", points: intervals.map(({ from, residentBytes }) => ({ x: from, y: residentBytes / 1e6 })) },
            { name: "caches", points: intervals.map(({ from, cacheBytes }) => ({ x: from, y: cacheBytes / 1e6 })) },
          ],
        },
      ],
      verdicts: answerTokens >= 20_000 ? [{ aim: steady, found: figure, isMet: !isRising }] : [],
      headlines: [{ what: `an answer of ${whole(answerTokens)} tokens, first half and second half after a warm-up (${model.id})`, figure }],
      notes: [`Load of the machine before: ${decimal(load, 1)}.`],
    };
  },
});
