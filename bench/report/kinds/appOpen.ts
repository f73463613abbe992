import { z } from "zod";
import { decimal, duration, median, megabytes, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";
import { shortName } from "../pdfName.ts";

const openedSchema = z.object({ name: z.string(), pages: z.number().int(), bytes: z.number(), textMs: z.number(), drawnMs: z.number() });
const schema = z.object({
  electron: z.string(),
  rounds: z.number().int(),
  documents: z.enum(["real", "made"]),
  summary: z.object({
    first: openedSchema,
    documents: z.array(openedSchema).min(1),
    medianMs: z.number(),
    longestMs: z.number(),
  }),
  runs: z.array(z.object({ load: z.number(), refused: z.array(z.string()) })).min(1),
});

export const appOpen = benchKind({
  name: "app-open",
  title: "Opening a document",
  about:
    "PDFs are dropped on the window of the built app, one after the other; in each round another one comes first. From the drop to all of a document's text being read and its tokens counted, and to its first page having been drawn.",
  aims: [],
  schema,
  show({ electron, rounds, documents: kind, summary: { first, documents, medianMs, longestMs }, runs }) {
    const row = (name: string, { pages, bytes, textMs, drawnMs }: typeof first) => [
      name,
      whole(pages),
      megabytes(bytes),
      duration(textMs),
      duration(drawnMs),
    ];
    const refused = [...new Set(runs.flatMap((run) => run.refused))];
    const loads = runs.map(({ load }) => decimal(load, 1)).join(", ");
    return {
      subject: `${documents.length} ${kind} documents`,
      tables: [
        {
          caption: rounds === 1 ? "One round" : `Medians of ${rounds} rounds`,
          columns: [named("document"), ...["pages", "size", "text read and counted after", "first page after"].map(counted)],
          rows: [row("made, first after the start", first), ...documents.map((document) => row(document.name, document))],
        },
      ],
      plots: [
        {
          form: "bars",
          name: "first-page",
          title: "From dropping a PDF to its first page",
          label: "seconds",
          bars: documents.map(({ name, pages, drawnMs }) => ({
            name: `${shortName(name)}, ${whole(pages)} p.`,
            value: drawnMs / 1000,
            text: duration(drawnMs),
          })),
          limit: null,
        },
      ],
      verdicts: [],
      headlines: [
        {
          what: `from dropping a PDF to its first page, ${documents.length} ${kind} ones of ${pagesOf(documents)} pages`,
          figure: `${duration(medianMs)} in the middle, ${duration(longestMs)} at most`,
        },
      ],
      notes: [
        `Electron ${electron}. Load of the machine before: ${loads}. Half of the documents have ${whole(median(documents.map(({ pages }) => pages)))} pages or more.`,
        ...(refused.length === 0 ? [] : [`Not opened: ${refused.join(", ")}.`]),
      ],
    };
  },
});

function pagesOf(documents: readonly { readonly pages: number }[]): string {
  const pages = documents.map((document) => document.pages);
  return `${whole(Math.min(...pages))} to ${whole(Math.max(...pages))}`;
}
