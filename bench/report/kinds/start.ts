import { z } from "zod";
import { decimal, duration, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const schema = z.object({
  electron: z.string(),
  medians: z.object({
    prepareMs: z.number(),
    windowMs: z.number(),
    modelMs: z.number(),
    firstTokenMs: z.number(),
    documentTokens: z.number(),
    prefillTokensPerSecond: z.number(),
  }),
  runs: z.array(z.unknown()).min(1),
});

const quick = { issue: 3, text: "The second start has a window in under 5 s" };

export const start = benchKind({
  name: "start",
  title: "Start",
  about: "From the launch of the built app to a usable window and a loaded model, and from a question to the first token of its answer.",
  aims: [quick],
  schema,
  options: ({ runs }) => `--runs ${runs.length}`,
  show({ electron, medians, runs }) {
    const { prepareMs, windowMs, modelMs, firstTokenMs, documentTokens, prefillTokensPerSecond } = medians;
    return {
      subject: `document of ${whole(documentTokens)} tokens`,
      tables: [
        {
          caption: `Medians of ${runs.length} starts`,
          columns: [named(""), counted("time")],
          rows: [
            ["looking for what is out of date", duration(prepareMs)],
            ["usable window, from Electron's launch", duration(windowMs)],
            ["model ready, from Electron's launch", duration(modelMs)],
            [`first token about ${whole(documentTokens)} tokens, from the question`, duration(firstTokenMs)],
            ["reading, tokens a second", decimal(prefillTokensPerSecond, 1)],
          ],
        },
      ],
      plots: [],
      verdicts: [{ aim: quick, found: duration(prepareMs + windowMs), isMet: prepareMs + windowMs < 5000 }],
      headlines: [
        { what: "usable window and model ready, from Electron's launch", figure: `${duration(windowMs)} and ${duration(modelMs)}` },
        { what: `first token about a document of ${whole(documentTokens)} tokens, nothing cached`, figure: duration(firstTokenMs) },
      ],
      notes: [`Electron ${electron}.`],
    };
  },
});
