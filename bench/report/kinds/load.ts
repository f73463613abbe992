import { z } from "zod";
import { decimal, times } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const speeds = z.object({ prefillTokensPerSecond: z.number().positive(), decodeTokensPerSecond: z.number().positive() });
const schema = z.object({
  busyLoops: z.number().int(),
  runs: z.number().int(),
  /** Other spin counts that were tried: each has two more medians. */
  spins: z.array(z.string()).default([]),
  medians: z.object({ alone: speeds, busy: speeds, busyLibraryDefault: speeds }).catchall(speeds),
});

const bearable = { issue: 3, text: "Decoding beside two busy loops at most 4 times slower than alone" };

export const load = benchKind({
  name: "load",
  title: "Beside other work",
  about:
    "Reading and decoding alone, beside loops that keep the cores busy, and beside them with the spin count that libgomp takes where nobody chooses one. The three take turns.",
  aims: [bearable],
  schema,
  options: ({ runs, spins }) => [`--runs ${runs}`, ...(spins.length === 0 ? [] : [`--spins ${spins.join(",")}`])].join(" "),
  show({ busyLoops, runs, spins, medians }) {
    const { alone, busy, busyLibraryDefault } = medians;
    const slower = alone.decodeTokensPerSecond / busy.decodeTokensPerSecond;
    const row = (name: string, { prefillTokensPerSecond, decodeTokensPerSecond }: typeof alone) => [
      name,
      decimal(prefillTokensPerSecond, 1),
      times(alone.prefillTokensPerSecond / prefillTokensPerSecond),
      decimal(decodeTokensPerSecond, 1),
      times(alone.decodeTokensPerSecond / decodeTokensPerSecond),
    ];
    return {
      subject: `${busyLoops} busy loops`,
      tables: [
        {
          caption: `Medians of ${runs} runs, tokens a second`,
          columns: [named(""), ...["reading", "reading slower", "decoding", "decoding slower"].map(counted)],
          rows: [
            row("alone", alone),
            row(`beside ${busyLoops} busy loops`, busy),
            row("beside them, libgomp's own spin count", busyLibraryDefault),
            ...spins.flatMap((count) =>
              ["alone", "busy"].flatMap((where) => {
                const median = medians[`${where} spin ${count}`];
                return median === undefined ? [] : [row(`${where === "alone" ? "alone" : "beside them"}, spin count ${count}`, median)];
              }),
            ),
          ],
        },
      ],
      plots: [],
      verdicts: busyLoops === 2 ? [{ aim: bearable, found: times(slower), isMet: slower <= 4 }] : [],
      headlines: [
        {
          what: `decoding beside ${busyLoops} busy loops, against alone`,
          figure: `${times(slower)} slower (${decimal(alone.decodeTokensPerSecond, 0)} and ${decimal(busy.decodeTokensPerSecond, 0)} tokens/s)`,
        },
      ],
      notes: [],
    };
  },
});
