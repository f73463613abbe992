import { z } from "zod";
import { courseSchema } from "../../memory/outcome.ts";
import { stages } from "../../memory/stages.ts";
import { decimal, megabytes, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, type LinePlot, named } from "../model.ts";

const bytes = z.number().nonnegative();
const schema = z.object({
  model: z.object({ id: z.string() }),
  promptTokens: z.number().int(),
  budget: z.number().int(),
  rounds: z.number().int(),
  everyMs: z.number(),
  load: z.number(),
  lookahead: z.object({ name: z.string(), steps: z.number().int() }).nullable(),
  missing: z.array(z.object({ what: z.string(), reason: z.string() })),
  summary: z
    .array(
      z.object({
        row: z.string(),
        policy: z.string(),
        stages: z.array(z.object({ stage: z.enum(stages), mostBytes: bytes, endBytes: bytes, ownBytes: bytes })),
        mostBytes: bytes,
        mostRange: z.tuple([bytes, bytes]),
        weightsBytes: bytes,
        fullCacheBytes: bytes,
        keptCacheBytes: bytes,
        cacheBytesAfter: bytes,
        course: courseSchema,
      }),
    )
    .min(1),
});
type Row = z.infer<typeof schema>["summary"][number];
type Stage = Row["stages"][number];

/** Stages as people read them; what is before the model is the process alone. */
const words: Readonly<Record<(typeof stages)[number], string>> = {
  start: "before the model",
  load: "model loaded",
  prefill: "reading",
  scoring: "scoring",
  eviction: "eviction",
  decode: "decoding",
  after: "a second after",
};
const ways: Readonly<Record<string, string>> = { full: "full", question: "kept per question", once: "kept once", streaming: "streaming" };

export const memory = benchKind({
  name: "memory",
  title: "Memory over an answer",
  about:
    "Each answer is given by a process of its own, whose resident memory is read all the while: by itself where a stage begins and ends, and from outside in between. The most in a stage is the system's own count, which misses nothing.",
  aims: [],
  schema,
  show({ model, promptTokens, budget, rounds, everyMs, load, lookahead, missing, summary }) {
    const tokens = whole(promptTokens);
    const medians = rounds === 1 ? "One round" : `Medians of ${rounds} rounds`;
    const ofStages = (caption: string, read: (stage: Stage) => number) => ({
      caption,
      columns: [named("cache"), ...stages.map((stage) => counted(words[stage]))],
      rows: summary.map((row) => [
        nameOf(row),
        ...stages.map((stage) => {
          const found = row.stages.find((one) => one.stage === stage);
          return found === undefined ? "–" : megabytes(read(found));
        }),
      ]),
    });
    const policies = [...new Set(summary.map(({ policy }) => policy).filter((policy) => policy !== "full"))];
    return {
      subject: `${model.id}, prompt of ${tokens} tokens, budget ${budget}`,
      tables: [
        ofStages(`${medians}: most resident memory in each stage`, ({ mostBytes }) => mostBytes),
        ofStages("Resident memory as each stage ends", ({ endBytes }) => endBytes),
        ofStages("What of that belongs to no file: all but weights and programs", ({ ownBytes }) => ownBytes),
        {
          caption: "Allocated caches, and the most of the process while it answers",
          columns: [
            named("cache"),
            ...[
              "as the prompt is read",
              "as the answer ends",
              "a second after",
              "most resident",
              "in the rounds",
              "against the first row",
            ].map(counted),
          ],
          rows: summary.map((row) => [
            nameOf(row),
            ...[row.fullCacheBytes, row.keptCacheBytes, row.cacheBytesAfter, row.mostBytes].map(megabytes),
            row.mostRange.map((most) => decimal(most / 1e6, 1)).join(" to "),
            `${decimal((row.mostBytes / (summary[0]?.mostBytes ?? Number.NaN)) * 100, 0)} %`,
          ]),
        },
      ],
      plots: [coursePlot(`Resident memory over an answer about ${tokens} tokens: ${model.id}`, summary), mostPlot(summary)],
      verdicts: [],
      headlines: headlinesOf(summary, `${tokens} tokens (${model.id})`),
      notes: [
        `In the modes “once” and streaming evictions are part of reading. Kept by ${policies.join(", ") || "no policy"}${lookahead === null ? "" : ` (module of ${whole(lookahead.steps)} steps)`}. Weights: ${megabytes(summary[0]?.weightsBytes ?? Number.NaN)}. Read every ${everyMs} ms. Load of the machine before: ${decimal(load, 1)}.`,
        ...missing.map(({ what, reason }) => `Not measured: ${what}. ${reason}`),
      ],
    };
  },
});

function nameOf({ row }: Pick<Row, "row">): string {
  const [way = "", kvType = ""] = row.split("-");
  return `${ways[way] ?? way}, ${kvType}`;
}

function coursePlot(title: string, summary: readonly Row[]): LinePlot {
  return {
    form: "lines",
    name: "course",
    title,
    x: { label: "seconds from the process's start", scale: "linear" },
    y: { label: "resident, MB" },
    series: summary.map((row) => ({
      name: nameOf(row),
      points: row.course.bytes.map((value, index) => ({ x: (index * row.course.everyMs) / 1000, y: value / 1e6 })),
    })),
  };
}

function mostPlot(summary: readonly Row[]) {
  return {
    form: "bars" as const,
    name: "most",
    title: "Most resident memory while answering",
    label: "MB",
    bars: summary.map((row) => ({ name: nameOf(row), value: row.mostBytes / 1e6, text: decimal(row.mostBytes / 1e6, 0) })),
    limit: null,
  };
}

/** Everything against what is kept, and against both together. */
function headlinesOf(summary: readonly Row[], about: string) {
  const found = ["full-f16", "question-f16", "question-q8_0"].flatMap((name) => summary.find(({ row }) => row === name) ?? []);
  const [full] = found;
  if (full?.row !== "full-f16" || found.length < 2) return [];
  const decoding = (row: Row) => row.stages.find(({ stage }) => stage === "decode")?.endBytes ?? Number.NaN;
  const figure = found.map((row) => `${nameOf(row)} ${megabytes(decoding(row))} (most ${megabytes(row.mostBytes)})`).join("; ");
  return [{ what: `resident memory of the process while it decodes behind ${about}`, figure }];
}
