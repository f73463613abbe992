import { z } from "zod";
import { decimal, duration, median, megabytes, percent, times, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { type Aim, counted, named } from "../model.ts";

const byCache = z.record(z.string(), z.number().positive());
const schema = z.object({
  bench: z.string(),
  promptTokens: z.number().int().positive(),
  runs: z.number().int().positive(),
  load: z.number(),
  share: z.number(),
  faster: byCache,
  measured: z
    .array(
      z.object({
        prefillMs: z.number(),
        scoringMs: z.number(),
        selectionMs: z.number(),
        keepMs: z.number(),
        tokensPerSecond: byCache,
        bytes: byCache,
      }),
    )
    .min(1),
});

/** What issue 4 asks of each model: the eviction's time by that of reading, and how much faster a kept cache decodes. */
type Wanted = {
  readonly tokens: number;
  readonly share: { readonly most: number; readonly aim: Aim };
  readonly faster: readonly { readonly budget: string; readonly least: number; readonly aim: Aim }[];
};

function wantedOf(name: string, tokens: number, faster: readonly (readonly [budget: string, least: number])[]): Wanted {
  const most = 0.015;
  const of = `${name}, ${whole(tokens)} tokens`;
  return {
    tokens,
    share: { most, aim: { issue: 4, text: `${of}: scoring, selecting and keeping take at most ${percent(most)} of reading` } },
    faster: faster.map(([budget, least]) => {
      const text = `${of}: decoding from ${budget} kept tokens is at least ${least} times as fast as from the full cache`;
      return { budget, least, aim: { issue: 4, text } };
    }),
  };
}
const wanted: Readonly<Record<string, Wanted>> = {
  "eviction-smollm2": wantedOf("SmolLM2", 6000, [
    ["64", 3.4],
    ["256", 2.9],
  ]),
  "eviction-qwen": wantedOf("Qwen", 8000, [
    ["64", 2.2],
    ["256", 2],
  ]),
};

/** Budgets ascending, the full cache last. */
const order = (one: string, other: string): number => (one === "full" ? 1 : other === "full" ? -1 : Number(one) - Number(other));

export const eviction = benchKind({
  name: "eviction",
  title: "Eviction and decoding",
  about:
    "Scoring, selecting and keeping 256 tokens behind a prompt that was read, and decoding the same tokens from kept caches and the full one in turns, in one process.",
  aims: Object.values(wanted).flatMap(({ share, faster }) => [share.aim, ...faster.map(({ aim }) => aim)]),
  schema,
  options: ({ bench, promptTokens, runs }) => `--model ${bench.replace("eviction-", "")} --tokens ${promptTokens} --runs ${runs}`,
  show({ bench, promptTokens, runs, load, share, faster, measured }) {
    const model = bench.replace("eviction-", "");
    const middle = (read: (run: (typeof measured)[number]) => number) => median(measured.map(read));
    const caches = Object.keys(measured[0]?.tokensPerSecond ?? {}).sort(order);
    const speedOf = (cache: string) => middle(({ tokensPerSecond }) => tokensPerSecond[cache] ?? Number.NaN);
    const bytesOf = (cache: string) => middle(({ bytes }) => bytes[cache] ?? Number.NaN);
    const asked = wanted[bench];
    const isAsked = asked !== undefined && asked.tokens === promptTokens;
    const [fast, at256] = [faster["256"], speedOf("256")];
    return {
      subject: `${model}, ${whole(promptTokens)} tokens`,
      tables: [
        {
          caption: `Time of an eviction to 256 tokens; medians of ${runs} runs`,
          columns: [named(""), counted("time")],
          rows: [
            ["reading the prompt", duration(middle(({ prefillMs }) => prefillMs))],
            ["scoring", duration(middle(({ scoringMs }) => scoringMs))],
            ["selecting", duration(middle(({ selectionMs }) => selectionMs))],
            ["keeping", duration(middle(({ keepMs }) => keepMs))],
            ["the three, as a share of reading", percent(share, 2)],
          ],
        },
        {
          caption: `Decoding from each cache; medians of ${runs} runs`,
          columns: [named("kept tokens"), counted("tokens/s"), counted("against full"), counted("cache")],
          rows: caches.map((cache) => {
            const factor = faster[cache];
            return [cache, decimal(speedOf(cache), 1), factor === undefined ? "" : times(factor), megabytes(bytesOf(cache))];
          }),
        },
      ],
      plots: [
        {
          form: "bars",
          name: "decode",
          title: `Decoding from kept caches: ${model}, ${whole(promptTokens)} tokens`,
          label: "tokens a second",
          bars: caches.map((cache) => ({ name: cache, value: speedOf(cache), text: decimal(speedOf(cache), 1) })),
          limit: null,
        },
      ],
      verdicts: isAsked
        ? [
            { aim: asked.share.aim, found: percent(share, 2), isMet: share <= asked.share.most },
            ...asked.faster.flatMap(({ budget, least, aim }) => {
              const factor = faster[budget];
              return factor === undefined ? [] : { aim, found: times(factor), isMet: factor >= least };
            }),
          ]
        : [],
      headlines:
        fast === undefined
          ? []
          : [
              {
                what: `decoding from 256 kept tokens, against all ${whole(promptTokens)} (${model})`,
                figure: `${times(fast)} as fast (${decimal(at256, 0)} and ${decimal(speedOf("full"), 0)} tokens/s)`,
              },
            ],
      notes: ["“Against full” is the median of each run's own ratio.", `Load of the machine before: ${decimal(load, 1)}.`],
    };
  },
});
