import { z } from "zod";
import { percent, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { type Aim, counted, named } from "../model.ts";
import { modulesNote, modulesSchema, shippedOf } from "../modules.ts";

const schema = z.object({
  variant: z.string(),
  tokens: z.number().int(),
  count: z.number().int(),
  budgets: z.array(z.number().int()).min(1),
  model: z.object({ id: z.string() }),
  modules: modulesSchema,
  summary: z.object({
    answered: z.number().int().nonnegative(),
    found: z.array(
      z.object({ policy: z.string(), budget: z.number().int(), found: z.number().int().nonnegative(), share: z.number().nullable() }),
    ),
  }),
});

/** The least shares that are to be found at budgets, of prompts of so many tokens. */
type Wanted = {
  readonly model: string;
  readonly variant: string;
  readonly tokens: number;
  readonly least: readonly { readonly budget: number; readonly share: number }[];
  readonly aim: Aim;
};

const nearlyAll = [
  { budget: 64, share: 0.85 },
  { budget: 128, share: 0.95 },
];
const lengths = [
  { model: "smollm2", name: "SmolLM2", tokens: 2000, least: nearlyAll },
  { model: "smollm2", name: "SmolLM2", tokens: 6000, least: [{ budget: 256, share: 0.9 }] },
  { model: "qwen", name: "Qwen", tokens: 2000, least: nearlyAll },
  { model: "qwen", name: "Qwen", tokens: 8000, least: [{ budget: 256, share: 0.9 }] },
];
const wanted: readonly Wanted[] = ["single", "several", "words", "question-first"].flatMap((variant) =>
  lengths.map(({ name, ...length }) => {
    const shares = length.least.map(({ budget, share }) => `${percent(share, 0)} at ${budget}`).join(", ");
    return { ...length, variant, aim: { issue: 5, text: `${name}, ${variant}, ${whole(length.tokens)} tokens: at least ${shares}` } };
  }),
);

export const needles = benchKind({
  name: "needles",
  title: "Needles",
  about:
    "A fact is hidden in a story and asked for; an answer is right if the value stands in it. Only items that the full cache answers are asked of the policies. “oracle” scores by the answer itself, which no prediction can know.",
  aims: wanted.map(({ aim }) => aim),
  schema,
  show(raw, context) {
    const { variant, tokens, count, budgets, model, modules, summary } = raw;
    const { answered, found } = summary;
    const policies = [...new Set(found.map(({ policy }) => policy))];
    const foundBy = (policy: string, budget: number) => found.find((cell) => cell.policy === policy && cell.budget === budget)?.found;
    const cell = (policy: string, budget: number) => {
      const value = foundBy(policy, budget);
      return value === undefined || answered === 0 ? "–" : `${value} (${percent(value / answered, 0)})`;
    };
    const shipped = shippedOf(modules, context);
    return {
      subject: `${model.id}, ${variant}, ${whole(tokens)} tokens`,
      tables: [
        {
          caption: `Needles found at each budget, of the ${answered} (of ${count}) that the full cache finds`,
          columns: [named("policy"), ...budgets.map((budget) => counted(String(budget)))],
          rows: policies.map((policy) => [policy, ...budgets.map((budget) => cell(policy, budget))]),
        },
      ],
      plots: [
        {
          form: "lines",
          name: "found",
          title: `Needles found: ${model.id}, ${variant}, ${whole(tokens)} tokens`,
          x: { label: "budget: tokens kept per layer and KV head", scale: "logarithmic" },
          y: { label: "found, %", most: 100 },
          series: policies.map((name) => ({
            name,
            points: found.flatMap(({ policy, budget, share }) =>
              policy === name && share !== null ? [{ x: budget, y: share * 100 }] : [],
            ),
          })),
        },
      ],
      verdicts: wanted
        .filter((one) => model.id.startsWith(one.model) && one.variant === variant && one.tokens === tokens && answered > 0)
        .flatMap(({ least, aim }) =>
          shipped.flatMap(({ name }) => {
            const shares = least.map(({ budget, share }) => ({ budget, share, found: foundBy(name, budget) }));
            if (shares.some((one) => one.found === undefined)) return [];
            return {
              aim,
              found: shares.map(({ budget, found: value = 0 }) => `${value} of ${answered} at ${budget}`).join(", "),
              isMet: shares.every(({ share, found: value = 0 }) => value / answered >= share),
            };
          }),
        ),
      headlines: shipped.map(({ name }) => {
        const list = (policy: string) => budgets.map((budget) => foundBy(policy, budget) ?? "–").join(", ");
        const beside = policies.includes("snapkv") ? `; SnapKV ${list("snapkv")}` : "";
        return {
          what: `needles found in ${whole(tokens)} tokens at a budget of ${budgets.join(", ")} (${model.id}, ${variant})`,
          figure: `${list(name)} of ${answered}${beside}`,
        };
      }),
      notes: modulesNote(modules, context),
    };
  },
});
