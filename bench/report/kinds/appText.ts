import { z } from "zod";
import { decimal, duration, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";
import { shortName } from "../pdfName.ts";

const readers = ["longsight", "pdf.js"] as const;
const speeds = z.partialRecord(z.enum(readers), z.number().positive());
const schema = z.object({
  rounds: z.number().int(),
  documents: z.enum(["real", "made"]),
  beside: z.object({ name: z.string(), version: z.string() }).nullable(),
  missing: z.string().nullable(),
  /** Documents of so many pages and more are told apart. */
  longPages: z.number().int(),
  all: speeds,
  long: speeds,
  summary: z
    .array(
      z.object({
        name: z.string(),
        pages: z.number().int(),
        by: z.array(z.object({ reader: z.enum(readers), ms: z.number().positive(), characters: z.number().int() })).min(1),
      }),
    )
    .min(1),
  turns: z
    .array(z.object({ reader: z.enum(readers), load: z.number(), refused: z.array(z.object({ name: z.string(), reason: z.string() })) }))
    .min(1),
});
type Text = z.infer<typeof schema>["summary"][number];

export const appText = benchKind({
  name: "app-text",
  title: "Text out of PDFs",
  about:
    "All text of each document, by the app's own reader (PDFium in a thread, then lines and columns in reading order) and by pdf.js in Node (what a page draws, in the order in which it is drawn). They take turns, each turn in a process of its own; the times are from the file to the text of its last page.",
  aims: [],
  schema,
  show({ rounds, documents: kind, beside, missing, longPages, all, long, summary, turns }) {
    const present = readers.filter((reader) => summary.some(({ by }) => by.some((one) => one.reader === reader)));
    const of = ({ by }: Text, reader: string) => by.find((one) => one.reader === reader);
    const cell = (text: Text, reader: string, show: (one: Text["by"][number]) => string) => {
      const found = of(text, reader);
      return found === undefined ? "–" : show(found);
    };
    const perSecond = (text: Text, reader: string) => cell(text, reader, ({ ms }) => decimal((text.pages / ms) * 1000, 0));
    const both = (name: string, values: typeof all) => [
      name,
      ...present.map((reader) => {
        const value = values[reader];
        return value === undefined ? "–" : decimal(value, 0);
      }),
    ];
    const refused = new Set(turns.flatMap(({ reader, refused: own }) => own.map(({ name, reason }) => `${reader}: ${name}: ${reason}`)));
    const loads = turns.map(({ load }) => load);
    return {
      subject: `${summary.length} ${kind} documents`,
      tables: [
        {
          caption: `Pages a second; ${rounds === 1 ? "one round" : `medians of ${rounds} rounds`}`,
          columns: [named("documents that all have read"), ...present.map(counted)],
          rows: [both("all", all), both(`of ${longPages} pages and more`, long)],
        },
        {
          caption: "By document",
          columns: [
            named("document"),
            counted("pages"),
            ...present.flatMap((reader) => [`${reader}, time`, `${reader}, pages a second`, `${reader}, characters`].map(counted)),
          ],
          rows: summary.map((text) => [
            text.name,
            whole(text.pages),
            ...present.flatMap((reader) => [
              cell(text, reader, ({ ms }) => duration(ms)),
              perSecond(text, reader),
              cell(text, reader, ({ characters }) => whole(characters)),
            ]),
          ]),
        },
      ],
      plots: [
        {
          form: "bars",
          name: "pages",
          title: `Pages a second, documents of ${longPages} pages and more`,
          label: "pages a second",
          bars: summary
            .filter(({ pages }) => pages >= longPages)
            .flatMap(({ name, pages, by }) =>
              by.map(({ reader, ms }) => ({
                name: `${shortName(name)}, ${reader}`,
                value: (pages / ms) * 1000,
                text: decimal((pages / ms) * 1000, 0),
              })),
            ),
          limit: null,
        },
      ],
      verdicts: [],
      headlines:
        long.longsight === undefined
          ? []
          : [
              {
                what: `text out of ${kind} PDFs of ${longPages} pages and more, pages a second${beside === null ? "" : `, beside ${beside.name} ${beside.version}`}`,
                figure: present.map((reader) => `${reader} ${decimal(long[reader] ?? Number.NaN, 0)}`).join(", "),
              },
            ],
      notes: [
        `Load of the machine before each turn: ${decimal(Math.min(...loads), 1)} to ${decimal(Math.max(...loads), 1)}.`,
        ...(missing === null ? [] : [`Without pdf.js. ${missing}`]),
        ...[...refused].map((text) => `Not read by ${text}`),
      ],
    };
  },
});
