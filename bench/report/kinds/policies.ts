import { z } from "zod";
import { decimal, duration, megabytes, percent, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, named } from "../model.ts";
import { modulesNote, modulesSchema, shippedOf } from "../modules.ts";

const schema = z.object({
  tokens: z.number().int(),
  count: z.number().int(),
  budgets: z.array(z.number().int()).min(1),
  draft: z.object({ file: z.string() }).nullable(),
  model: z.object({ id: z.string() }),
  modules: modulesSchema,
  summary: z.object({
    prefillMs: z.number().positive(),
    policies: z.array(
      z.object({
        policy: z.string(),
        readingMs: z.number(),
        draftMs: z.number(),
        scoringMs: z.number(),
        selectionMs: z.number(),
        budgets: z.array(
          z.object({ budget: z.number().int(), recall: z.number(), truthRecall: z.number(), mass: z.number(), keptBytes: z.number() }),
        ),
      }),
    ),
  }),
});

/** They foresee the answer by writing a draft of it, as lookahead does by what it learned. */
const drafting = ["laq", "speckv"];
const cheapest = { issue: 8, text: "Lookahead costs at most a tenth of each policy that drafts an answer (laq, speckv)" };

/** What a policy adds to the reading of a prompt, in milliseconds. */
const addedMs = ({ readingMs, draftMs, scoringMs, selectionMs }: z.infer<typeof schema>["summary"]["policies"][number]): number =>
  readingMs + draftMs + scoringMs + selectionMs;

export const policies = benchKind({
  name: "policies",
  title: "Policies",
  about:
    "Every policy on the same prompts. Recall: of the tokens that the real answer looks at most, the share that is kept; as oracle: of what the oracle keeps; mass: the share of the answer's attention that went to kept tokens. Times are medians, and what they add is held against the time of reading the prompt.",
  aims: [cheapest],
  schema,
  show(raw, context) {
    const { tokens, count, budgets, draft, model, modules, summary } = raw;
    const { prefillMs } = summary;
    const shareOf = (policy: string) => {
      const row = summary.policies.find((one) => one.policy === policy);
      return row === undefined ? null : addedMs(row) / prefillMs;
    };
    const shares = summary.policies.map((row) => ({ policy: row.policy, share: addedMs(row) / prefillMs }));
    const drafts = shares.filter(({ policy }) => drafting.includes(policy));
    const shipped = shippedOf(modules, context);
    const each = <Cell>(cells: (budget: number) => Cell): Cell[] => budgets.map(cells);
    return {
      subject: `${model.id}, ${whole(tokens)} tokens`,
      tables: [
        {
          caption: `What a policy adds to reading a prompt, which takes ${duration(prefillMs)}; medians of ${count} prompts, ms`,
          columns: [named("policy"), ...["while reading", "drafting", "scoring", "selecting", "all", "share of reading"].map(counted)],
          rows: summary.policies.map((row) => [
            row.policy,
            ...[row.readingMs, row.draftMs, row.scoringMs, row.selectionMs, addedMs(row)].map((time) => decimal(time, 1)),
            percent(addedMs(row) / prefillMs),
          ]),
        },
        {
          caption: `What is kept at each budget; means of ${count} prompts`,
          columns: [
            named("policy"),
            ...each((budget) => counted(`recall@${budget}`)),
            ...each((budget) => counted(`as oracle@${budget}`)),
            ...each((budget) => counted(`mass@${budget}`)),
            ...each((budget) => counted(`cache@${budget}`)),
          ],
          rows: summary.policies.map(({ policy, budgets: at }) => {
            const cells = (read: (row: (typeof at)[number]) => string) =>
              each((budget) => at.filter((row) => row.budget === budget).map(read)[0] ?? "–");
            return [
              policy,
              ...cells(({ truthRecall }) => decimal(truthRecall, 3)),
              ...cells(({ recall }) => decimal(recall, 3)),
              ...cells(({ mass }) => decimal(mass, 3)),
              ...cells(({ keptBytes }) => megabytes(keptBytes)),
            ];
          }),
        },
      ],
      plots: [
        {
          form: "bars",
          name: "overhead",
          title: `What policies add to reading ${whole(tokens)} tokens: ${model.id}`,
          label: "share of the time of reading, %",
          bars: shares.map(({ policy, share }) => ({ name: policy, value: share * 100, text: percent(share) })),
          limit: null,
        },
      ],
      verdicts: shipped.flatMap(({ name }) => {
        const own = shareOf(name);
        if (own === null || own <= 0 || drafts.length === 0) return [];
        return {
          aim: cheapest,
          found: `${percent(own)} of reading; ${drafts.map(({ policy, share }) => `${policy} ${decimal(share / own, 1)} times that`).join(", ")}`,
          isMet: drafts.every(({ share }) => share >= 10 * own),
        };
      }),
      headlines: shipped.flatMap(({ name }) => {
        const beside = ["snapkv", ...drafting].flatMap((policy) => {
          const share = shareOf(policy);
          return share === null ? [] : `${policy} ${percent(share)}`;
        });
        const own = shareOf(name);
        if (own === null) return [];
        return {
          what: `what choosing adds to reading ${whole(tokens)} tokens (${model.id})`,
          figure: [percent(own), ...beside].join("; "),
        };
      }),
      notes: [
        ...modulesNote(modules, context),
        ...(draft === null ? [] : [`speckv's draft model: ${draft.file}.`]),
        "The paper (arXiv 2603.10899) has below 2.16 % for LookaheadKV, about 31 % for LAQ, about 29 % for SpecKV, on other hardware and longer prompts.",
      ],
    };
  },
});
