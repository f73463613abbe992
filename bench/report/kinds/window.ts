import { z } from "zod";
import { decimal, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const schema = z.object({
  electron: z.string(),
  messages: z.number().int(),
  limitMs: z.number(),
  summary: z
    .array(
      z.object({
        name: z.string(),
        frames: z.number(),
        longestFrameMs: z.number(),
        framesOver: z.number(),
        longestTaskMs: z.number(),
        tasksOver: z.number(),
        longestThreadMs: z.number().nullable(),
      }),
    )
    .min(1),
  runs: z.array(z.object({ documentTokens: z.number(), load: z.number() })).min(1),
});

const smooth = {
  issue: 7,
  text: "No frame and no task of the window's main thread above 50 ms, with a document of 30,000 tokens and 200 messages",
};

export const window = benchKind({
  name: "window",
  title: "The window",
  about:
    "A long document and conversation are scrolled, the budget is dragged with the heat on, a question is typed. Tasks of the window's main thread by the wall's clock and by the thread's own, which leaves out what other programs took of its core.",
  aims: [smooth],
  schema,
  show({ electron, messages, limitMs, summary, runs }) {
    const most = (read: (action: (typeof summary)[number]) => number) => Math.max(...summary.map(read));
    const [frame, task] = [most(({ longestFrameMs }) => longestFrameMs), most(({ longestTaskMs }) => longestTaskMs)];
    const threads = summary.flatMap(({ longestThreadMs }) => longestThreadMs ?? []);
    const own = threads.length === 0 ? "" : `, ${decimal(Math.max(...threads), 0)} ms by the thread's own`;
    const loads = runs.map(({ load }) => decimal(load, 1)).join(", ");
    const tokens = whole(runs[0]?.documentTokens ?? 0);
    return {
      subject: `${tokens} tokens, ${messages} messages`,
      tables: [
        {
          caption: `${runs.length === 1 ? "One round" : `Medians of ${runs.length} rounds`}; longest in ms, and how many above ${limitMs} ms`,
          columns: [
            named("action"),
            ...["frames", "longest frame", "frames above", "longest task", "tasks above", "by the thread's clock"].map(counted),
          ],
          rows: summary.map(({ name, frames, longestFrameMs, framesOver, longestTaskMs, tasksOver, longestThreadMs }) => [
            name,
            whole(frames),
            decimal(longestFrameMs, 0),
            whole(framesOver),
            decimal(longestTaskMs, 0),
            whole(tasksOver),
            longestThreadMs === null ? "–" : decimal(longestThreadMs, 0),
          ]),
        },
      ],
      plots: [
        {
          form: "bars",
          name: "tasks",
          title: "Longest task of the main thread, by the wall's clock",
          label: "longest task, ms",
          bars: summary.map(({ name, longestTaskMs }) => ({ name, value: longestTaskMs, text: decimal(longestTaskMs, 0) })),
          limit: { value: limitMs, text: `${limitMs} ms` },
        },
      ],
      verdicts: [
        {
          aim: smooth,
          found: `longest frame ${decimal(frame, 0)} ms; longest task ${decimal(task, 0)} ms by the wall's clock${own} (load before: ${loads})`,
          isMet: Math.max(frame, task) <= limitMs,
        },
      ],
      headlines: [],
      notes: [`Electron ${electron}. Load of the machine before: ${loads}.`],
    };
  },
});
