import { z } from "zod";
import { decimal, interval } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";
import { modulesNote, modulesSchema, shippedOf } from "../modules.ts";

const intervalSchema = z.object({ mean: z.number(), low: z.number(), high: z.number() });
const measuredSchema = z.object({ policy: z.string(), f1: intervalSchema, holdsGold: intervalSchema });
const schema = z.object({
  dataSet: z.string(),
  passage: z.string(),
  items: z.number().int(),
  budgets: z.array(z.number().int()).min(1),
  model: z.object({ id: z.string() }),
  modules: modulesSchema,
  summary: z.object({
    means: z.array(measuredSchema.extend({ budget: z.number().int().nullable() })),
    differences: z.array(measuredSchema.extend({ budget: z.number().int() })),
  }),
});

const better = {
  issue: 8,
  text: "F1 at budgets of 64 and 128 above SnapKV's, beyond the interval (asked of the mean over tasks; this is one of them)",
};
const decisive = [64, 128];

export const answers = benchKind({
  name: "answers",
  title: "Answers",
  about:
    "Questions with gold answers, answered greedily as the app answers: SQuAD's F1, and how often a gold answer stands in the answer. Means with 95 % bootstrap intervals over the articles; differences to SnapKV item by item.",
  aims: [better],
  schema,
  show(raw, context) {
    const { dataSet, passage, items, budgets, model, modules, summary } = raw;
    const { means, differences } = summary;
    const policies = [...new Set(means.map(({ policy }) => policy))];
    const f1Of = (policy: string, budget: number) => means.find((one) => one.policy === policy && one.budget === budget)?.f1;
    const whole = means.find(({ budget }) => budget === null);
    const gain = (policy: string, budget: number | null) => differences.find((one) => one.policy === policy && one.budget === budget);
    const shipped = shippedOf(modules, context);
    return {
      subject: `${model.id}, ${dataSet}, ${passage}`,
      tables: [
        {
          caption: `${items} questions; means and 95 % intervals`,
          columns: [named("policy"), ...["budget", "F1", "holds gold", "F1 − SnapKV", "holds gold − SnapKV"].map(counted)],
          rows: means.map(({ policy, budget, f1, holdsGold }) => {
            const difference = gain(policy, budget);
            const compared = difference === undefined ? ["", ""] : [interval(difference.f1), interval(difference.holdsGold)];
            return [policy, budget === null ? "all" : String(budget), interval(f1), interval(holdsGold), ...compared];
          }),
        },
      ],
      plots: [
        {
          form: "lines",
          name: "f1",
          title: `F1 of answers: ${model.id}, ${dataSet}, ${passage}`,
          x: { label: "budget: tokens kept per layer and KV head", scale: "logarithmic" },
          y: { label: "F1, with 95 % intervals" },
          // The full cache has no budget: a level to hold the others against.
          series: policies.map((name) => ({
            name,
            points: budgets.flatMap((budget) => {
              const f1 = name === "full" ? whole?.f1 : f1Of(name, budget);
              if (f1 === undefined) return [];
              return name === "full" ? [{ x: budget, y: f1.mean }] : [{ x: budget, y: f1.mean, low: f1.low, high: f1.high }];
            }),
          })),
        },
      ],
      verdicts: shipped.flatMap(({ name }) => {
        const gains = decisive.map((budget) => ({ budget, f1: gain(name, budget)?.f1 }));
        if (gains.some(({ f1 }) => f1 === undefined)) return [];
        return {
          aim: better,
          found: gains.map(({ budget, f1 }) => (f1 === undefined ? "" : `${interval(f1)} more at ${budget}`)).join(", "),
          isMet: gains.every(({ f1 }) => f1 !== undefined && f1.low > 0),
        };
      }),
      headlines: shipped.map(({ name }) => {
        const list = (policy: string) =>
          budgets.map((budget) => f1Of(policy, budget)).map((f1) => (f1 === undefined ? "–" : decimal(f1.mean, 3)));
        const full = whole === undefined ? "" : `; full cache ${decimal(whole.f1.mean, 3)}`;
        return {
          what: `F1 of ${items} answers at a budget of ${budgets.join(", ")} (${model.id}, ${dataSet}, ${passage})`,
          figure: `${list(name).join(", ")}; SnapKV ${list("snapkv").join(", ")}${full}`,
        };
      }),
      notes: modulesNote(modules, context),
    };
  },
});
