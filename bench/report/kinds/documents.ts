import { z } from "zod";
import { megabytes } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";

const growthSchema = z.record(z.string(), z.number());
const schema = z.object({
  electron: z.string(),
  growth: growthSchema.and(z.object({ all: z.number() })),
  runs: z.array(z.object({ documents: z.string(), opened: z.array(z.string()), growth: growthSchema })).min(1),
});

const little = { issue: 7, text: "Memory grows by less than 50 MB when 50 documents are opened and closed" };

export const documents = benchKind({
  name: "documents",
  title: "Opening and closing documents",
  about:
    "Each document is dropped on the window, drawn, and taken out of the conversation. Private memory of every process, before and after.",
  aims: [little],
  schema,
  show({ electron, growth, runs }) {
    const opened = runs[0]?.opened.length ?? 0;
    return {
      subject: `${opened} ${runs[0]?.documents ?? ""} documents`,
      tables: [
        {
          caption: `Growth; medians of ${runs.length} rounds`,
          columns: [named("process"), counted("growth")],
          rows: Object.entries(growth).map(([role, bytes]) => [role, megabytes(bytes)]),
        },
      ],
      plots: [],
      verdicts: opened >= 50 ? [{ aim: little, found: megabytes(growth.all), isMet: growth.all < 50e6 }] : [],
      headlines: [],
      notes: [`Electron ${electron}.`],
    };
  },
});
