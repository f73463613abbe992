import { z } from "zod";
import { megabytes, percent, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";
import { modulesNote, modulesSchema, shippedOf } from "../modules.ts";

const rowSchema = z.object({
  policy: z.string(),
  budget: z.number().int().nullable(),
  found: z.array(z.object({ depth: z.number(), found: z.number().int(), items: z.number().int() })),
  cacheBytes: z.number(),
  limitBytes: z.number().nullable(),
});
type Row = z.infer<typeof rowSchema>;
const schema = z.object({
  cap: z.number().int(),
  times: z.number().int(),
  model: z.object({ id: z.string() }),
  modules: modulesSchema,
  summary: z.array(rowSchema).min(1),
});

const asOften = {
  issue: 6,
  text: "A needle in a text of four times the full cache is found as often as from the full cache on a shorter text",
};
const bounded = { issue: 6, text: "All caches together take at most a window and the budget" };

const sum = ({ found }: Row) => ({
  found: found.reduce((all, one) => all + one.found, 0),
  items: found.reduce((all, one) => all + one.items, 0),
});
const shareOf = (row: Row): number => sum(row).found / Math.max(1, sum(row).items);
const tally = (row: Row): string => `${sum(row).found} of ${sum(row).items}`;

export const streaming = benchKind({
  name: "streaming",
  title: "Streaming",
  about:
    "A text of several times what the full cache may hold, read in windows, with a needle at three depths; beside it the same needle in a text that the full cache holds.",
  aims: [asOften, bounded],
  schema,
  show({ cap, times, model, modules, summary }, context) {
    const full = summary.find(({ policy }) => policy === "full");
    const streamed = summary.filter(({ limitBytes }) => limitBytes !== null);
    const shipped = shippedOf(modules, context).map(({ name }) => name);
    const isWithin = streamed.every(({ cacheBytes, limitBytes }) => limitBytes !== null && cacheBytes <= limitBytes);
    return {
      subject: `${model.id}, ${whole(cap * times)} tokens where the full cache may hold ${whole(cap)}`,
      tables: [
        {
          caption: "Needles found at each depth of the text, and the most that all caches took together",
          columns: [
            named("policy"),
            counted("budget"),
            ...(summary[0]?.found ?? []).map(({ depth }) => counted(`at ${percent(depth, 0)}`)),
            ...["all", "caches", "window + budget"].map(counted),
          ],
          rows: summary.map((row) => [
            row.policy,
            row.budget === null ? "all" : String(row.budget),
            ...row.found.map(({ found, items }) => `${found} of ${items}`),
            tally(row),
            megabytes(row.cacheBytes),
            row.limitBytes === null ? "" : megabytes(row.limitBytes),
          ]),
        },
      ],
      plots: [],
      verdicts: [
        ...streamed
          .filter(({ policy }) => full !== undefined && times >= 4 && shipped.includes(policy))
          .flatMap((row) => {
            if (full === undefined) return [];
            const found = `${tally(row)} at a budget of ${row.budget}, full cache ${tally(full)}`;
            return { aim: asOften, found, isMet: shareOf(row) >= shareOf(full) };
          }),
        ...(streamed.length === 0 ? [] : [{ aim: bounded, found: isWithin ? "they do" : "they take more", isMet: isWithin }]),
      ],
      headlines: [],
      notes: modulesNote(modules, context),
    };
  },
});
