import { z } from "zod";
import { decimal, median, megabytes, percent, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const schema = z.object({
  budget: z.number().int(),
  room: z.number().int(),
  rounds: z.number().int(),
  measured: z
    .array(
      z.object({
        promptTokens: z.number().int(),
        full: z.number(),
        kept: z.number(),
        before: z.number(),
        lowest: z.number(),
        share: z.number(),
        ratio: z.number(),
      }),
    )
    .min(1),
});

const asPlanned = { issue: 4, text: "The kept cache is (budget + room for the answer) ÷ prompt of the full one's size, within 3 %" };
const givenBack = { issue: 4, text: "Resident memory falls within a second by at least 80 % of what the caches differ by" };

export const freed = benchKind({
  name: "freed",
  title: "What an eviction gives back",
  about:
    "Whole answers about a long text, round after round in one process: the allocated caches, and the process's resident memory before an eviction and within a second after it.",
  aims: [asPlanned, givenBack],
  schema,
  options: ({ rounds, budget }) => `--rounds ${rounds} --budget ${budget}`,
  show({ budget, room, rounds, measured }) {
    const middle = (read: (round: (typeof measured)[number]) => number) => median(measured.map(read));
    const [full, kept] = [middle((round) => round.full), middle((round) => round.kept)];
    const least = Math.min(...measured.map(({ share }) => share));
    const off = Math.max(...measured.map(({ ratio }) => Math.abs(ratio - 1)));
    const tokens = whole(middle(({ promptTokens }) => promptTokens));
    return {
      subject: `prompt of ${tokens} tokens, budget ${budget}`,
      tables: [
        {
          caption: `${rounds} answers, each with room for ${room} tokens`,
          columns: [named(""), counted("in the middle"), counted("least"), counted("most")],
          rows: [
            ...(
              [
                ["full cache", (round) => round.full],
                ["kept cache", (round) => round.kept],
                ["resident memory before the eviction", (round) => round.before],
                ["resident memory after it", (round) => round.lowest],
              ] satisfies [string, (round: (typeof measured)[number]) => number][]
            ).map(([name, read]) => [name, ...[middle(read), ...ends(measured.map(read))].map(megabytes)]),
            [
              "fall of resident memory, by the difference of the caches",
              ...[middle(({ share }) => share), ...ends(measured.map(({ share }) => share))].map((share) => percent(share, 0)),
            ],
          ],
        },
      ],
      plots: [],
      verdicts: [
        { aim: asPlanned, found: `at most ${decimal(off * 100, 1)} % off`, isMet: off <= 0.03 },
        { aim: givenBack, found: `at least ${percent(least, 0)}`, isMet: least >= 0.8 },
      ],
      headlines: [
        {
          what: `the cache of a prompt of ${tokens} tokens, before and after an eviction to ${budget}`,
          figure: `${megabytes(full)} → ${megabytes(kept)}; resident memory fell by at least ${percent(least, 0)} of the difference`,
        },
      ],
      notes: [],
    };
  },
});

const ends = (values: readonly number[]): [least: number, most: number] => [Math.min(...values), Math.max(...values)];
