import { z } from "zod";
import { decimal, duration, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const phases = ["at rest", "while reading"] as const;
const schema = z.object({
  electron: z.string(),
  rounds: z.number().int(),
  documentTokens: z.number().int(),
  limitMs: z.number(),
  summary: z
    .array(
      z.object({
        action: z.string(),
        phase: z.enum(phases),
        inputs: z.number(),
        inputMedianMs: z.number(),
        input95Ms: z.number(),
        inputLongestMs: z.number(),
        frames: z.number(),
        longestFrameMs: z.number(),
        framesOver: z.number(),
        longestTaskMs: z.number(),
        longestThreadMs: z.number().nullable(),
      }),
    )
    .min(1),
  runs: z.array(z.object({ load: z.number() })).min(1),
});

export const appBusy = benchKind({
  name: "app-busy",
  title: "The window while the engine reads",
  about:
    "A question is typed and pages are scrolled while the engine reads a long prompt on all cores, and beside it the same while it rests. From each key and each turn of the wheel to the end of the frame after it, and the frames and tasks of the window's main thread.",
  aims: [],
  schema,
  show({ electron, rounds, documentTokens, limitMs, summary, runs }) {
    const tokens = whole(documentTokens);
    const reading = summary.filter(({ phase }) => phase === "while reading");
    return {
      subject: `document of ${tokens} tokens`,
      tables: [
        {
          caption: `${rounds === 1 ? "One round" : `Medians of ${rounds} rounds`}; from an input to the end of the frame after it, ms`,
          columns: [named("action"), ...["inputs", "in the middle", "19 of 20 within", "longest"].map(counted)],
          rows: summary.map(({ action, phase, inputs, inputMedianMs, input95Ms, inputLongestMs }) => [
            `${action}, ${phase}`,
            whole(inputs),
            ...[inputMedianMs, input95Ms, inputLongestMs].map((value) => decimal(value, 0)),
          ]),
        },
        {
          caption: `Frames and tasks, ms, and how many frames took more than ${limitMs} ms`,
          columns: [named("action"), ...["frames", "longest frame", "frames above", "longest task", "by the thread's clock"].map(counted)],
          rows: summary.map(({ action, phase, frames, longestFrameMs, framesOver, longestTaskMs, longestThreadMs }) => [
            `${action}, ${phase}`,
            whole(frames),
            decimal(longestFrameMs, 0),
            whole(framesOver),
            decimal(longestTaskMs, 0),
            longestThreadMs === null ? "–" : decimal(longestThreadMs, 0),
          ]),
        },
      ],
      plots: [
        {
          form: "bars",
          name: "inputs",
          title: "From an input to the end of the frame after it: 19 of 20 within",
          label: "ms",
          bars: summary.map(({ action, phase, input95Ms }) => ({
            name: `${action}, ${phase}`,
            value: input95Ms,
            text: decimal(input95Ms, 0),
          })),
          limit: null,
        },
      ],
      verdicts: [],
      headlines: reading.map(({ action, inputMedianMs, input95Ms }) => ({
        what: `${action} while a prompt of ${tokens} tokens is read: from an input to its frame`,
        figure: `${duration(inputMedianMs)} in the middle, 19 of 20 within ${duration(input95Ms)}`,
      })),
      notes: [`Electron ${electron}. Load of the machine before: ${runs.map(({ load }) => decimal(load, 1)).join(", ")}.`],
    };
  },
});
