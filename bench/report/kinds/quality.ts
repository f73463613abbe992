import { z } from "zod";
import { decimal, interval, percent, whole } from "../format.ts";
import { benchKind, type Context } from "../kind.ts";
import { counted, named, type Table, type Verdict } from "../model.ts";
import { modulesNote, modulesSchema, shippedOf } from "../modules.ts";

const intervalSchema = z.object({ mean: z.number(), low: z.number(), high: z.number() });
/** Budgets are tokens, or a share of the prompt in words. */
const pairSchema = z.object({ policy: z.string(), budget: z.string() });
const overallSchema = z.array(
  pairSchema.extend({
    tasks: z.array(z.string()),
    items: z.number().int(),
    mean: intervalSchema.nullable(),
    ofFull: intervalSchema.nullable(),
    lessSnapkv: intervalSchema.nullable(),
  }),
);
const schema = z.object({
  command: z.string(),
  tokens: z.number().int(),
  model: z.object({ id: z.string() }),
  modules: modulesSchema,
  extent: z.object({ items: z.number().int(), measured: z.number().int() }),
  summary: z.object({
    scored: z.object({
      tasks: z.array(
        z.object({
          task: z.string(),
          items: z.number().int(),
          unfit: z.number().int(),
          cut: z.number().int(),
          promptTokens: z.number().int(),
          full: intervalSchema,
          chance: z.number(),
          first: z.number(),
          counts: z.boolean(),
          cells: z.array(pairSchema.extend({ items: z.number().int(), mean: z.number(), ofFull: z.number().nullable() })),
        }),
      ),
      overall: overallSchema,
      /** Over the reading sets alone. */
      reading: overallSchema,
    }),
    agreement: z.array(
      pairSchema.extend({
        task: z.string(),
        items: z.number().int(),
        f1: intervalSchema,
        rougeL: intervalSchema,
        likelihoodLoss: intervalSchema.nullable(),
        f1LessSnapkv: intervalSchema.nullable(),
        likelihoodLessSnapkv: intervalSchema.nullable(),
      }),
    ),
    temperature: z.array(
      z.object({
        task: z.string(),
        name: z.string(),
        items: z.number().int(),
        recall: z.array(z.object({ of: z.number().int(), share: intervalSchema.nullable() })),
        tau: intervalSchema.nullable(),
      }),
    ),
  }),
});
type Quality = z.infer<typeof schema>;
type Interval = z.infer<typeof intervalSchema>;

const neverWorse = { issue: 8, text: "Lookahead at least as good as SnapKV at every budget, on the mean over tasks" };
const better = { issue: 8, text: "Lookahead better than SnapKV at 64 and 128 on the mean over tasks, beyond the intervals" };
const nearFull = { issue: 8, text: "At 256 within 5 % of the full cache on reading sets where that is above chance" };

/** Every budget that the issue names. */
const askedBudgets = ["64", "128", "256", "512", "1024"];
const isNumber = (budget: string): boolean => /^\d+$/.test(budget);

const orNone = (value: Interval | null): string => (value === null ? "–" : interval(value));

export const quality = benchKind({
  name: "quality",
  title: "Quality",
  about:
    "RULER's tasks, reading sets with their own metrics, and pages of HTML to TSV, from the full cache and from kept ones. A task counts where the full cache scores well above chance, and above what its first token scores alone, which every cache has from it; means have 95 % bootstrap intervals, each task with the same weight.",
  aims: [neverWorse, better, nearFull],
  schema,
  show(raw, context) {
    const { tokens, model, modules, extent, summary } = raw;
    const { tasks, overall } = summary.scored;
    const budgets = [...new Set(overall.map(({ budget }) => budget))];
    const policies = [...new Set(overall.map(({ policy }) => policy))];
    const meanAt = (policy: string, budget: string) => overall.find((one) => one.policy === policy && one.budget === budget)?.mean;
    const early = extent.measured < extent.items ? ["The run was ended before all of its items were measured."] : [];
    const numbers = budgets.filter(isNumber);
    const list = (policy: string) => numbers.map((budget) => meanAt(policy, budget)).map((mean) => (mean ? decimal(mean.mean, 3) : "–"));
    return {
      subject: `${model.id}, at most ${whole(tokens)} tokens`,
      tables: [...scoredTables(raw, budgets, policies), agreementTable(raw), temperatureTable(raw)].filter(({ rows }) => rows.length > 0),
      plots: [
        {
          form: "lines",
          name: "mean",
          title: `Mean over tasks: ${model.id}, at most ${whole(tokens)} tokens`,
          x: { label: "budget: tokens kept per layer and KV head", scale: "logarithmic" },
          y: { label: "score, with 95 % intervals" },
          series: policies.map((name) => ({
            name,
            points: overall.flatMap(({ policy, budget, mean }) =>
              policy === name && mean !== null && isNumber(budget)
                ? [{ x: Number(budget), y: mean.mean, low: mean.low, high: mean.high }]
                : [],
            ),
          })),
        },
      ],
      verdicts: verdictsOf(raw, context),
      headlines: shippedOf(modules, context)
        .filter(({ name }) => policies.includes(name) && !isQuick(raw))
        .map(({ name }) => ({
          what: `mean over ${tasks.filter(({ counts }) => counts).length} tasks at a budget of ${numbers.join(", ")} (${model.id}, at most ${whole(tokens)} tokens)`,
          figure: `${list(name).join(", ")}; SnapKV ${list("snapkv").join(", ")}`,
        })),
      notes: [`${extent.measured} of ${extent.items} items were measured.`, ...early, ...modulesNote(modules, context)],
    };
  },
});

function scoredTables({ summary }: Quality, budgets: readonly string[], policies: readonly string[]): Table[] {
  const { tasks, overall, reading } = summary.scored;
  const over = (caption: string, rows: typeof overall): Table => ({
    caption,
    columns: [named("policy"), named("budget"), ...["tasks", "items", "mean", "of the full cache's", "less SnapKV's"].map(counted)],
    rows: rows
      .filter(({ mean }) => mean !== null)
      .map(({ policy, budget, tasks: own, items, mean, ofFull, lessSnapkv }) => [
        policy,
        budget,
        ...[own.length, items].map(whole),
        ...[mean, ofFull, lessSnapkv].map(orNone),
      ]),
  });
  return [
    over("Over the tasks that count", overall),
    over("Over the reading sets among them", reading),
    {
      caption:
        "Tasks; chance is what the same answers score by the gold answers of other items, and the first token's score what they score without the rest",
      columns: [
        named("task"),
        ...["items", "cut", "without room", "prompt tokens", "chance", "first token", "full cache"].map(counted),
        named("counts"),
      ],
      rows: tasks.map(({ task, items, cut, unfit, promptTokens, chance, first, full, counts }) => [
        task,
        ...[items, cut, unfit, promptTokens].map(whole),
        ...[chance, first].map((share) => decimal(share, 3)),
        interval(full),
        counts ? "yes" : "no",
      ]),
    },
    {
      caption: "Each task that counts; in brackets the share of the full cache's score on the same items",
      columns: [named("task"), named("policy"), ...budgets.map(counted)],
      rows: tasks
        .filter(({ counts }) => counts)
        .flatMap(({ task, cells }) =>
          policies.map((policy) => [
            task,
            policy,
            ...budgets.map((budget) => {
              const cell = cells.find((one) => one.policy === policy && one.budget === budget);
              if (cell === undefined) return "–";
              return cell.ofFull === null ? decimal(cell.mean, 3) : `${decimal(cell.mean, 3)} (${percent(cell.ofFull, 0)})`;
            }),
          ]),
        ),
    },
  ];
}

function agreementTable({ summary }: Quality): Table {
  return {
    caption: "Agreement with the full cache's answers, of which there are no gold ones",
    columns: [
      ...["task", "policy", "budget"].map(named),
      ...["items", "F1", "ROUGE-L", "log-likelihood, less full's", "F1 − SnapKV", "log-likelihood − SnapKV"].map(counted),
    ],
    rows: summary.agreement.map(({ task, policy, budget, items, f1, rougeL, likelihoodLoss, f1LessSnapkv, likelihoodLessSnapkv }) => [
      task,
      policy,
      budget,
      whole(items),
      ...[f1, rougeL, likelihoodLoss, f1LessSnapkv, likelihoodLessSnapkv].map(orNone),
    ]),
  };
}

function temperatureTable({ summary: { temperature } }: Quality): Table {
  const counts = [...new Set(temperature.flatMap(({ recall }) => recall.map(({ of }) => of)))].sort((one, other) => one - other);
  return {
    caption: "How alike scores are to those by the greedy answer",
    columns: [
      named("task"),
      named("scores by"),
      counted("prompts"),
      ...counts.map((count) => counted(`recall@${count}`)),
      counted("Kendall's τ-b"),
    ],
    rows: temperature.map(({ task, name, items, recall, tau }) => [
      task,
      name,
      whole(items),
      ...counts.map((count) => orNone(recall.find(({ of }) => of === count)?.share ?? null)),
      orNone(tau),
    ]),
  };
}

/** A quick run has too few items to say anything of an aim. */
const isQuick = ({ command }: Quality): boolean => command.split(" ").includes("--quick");

function verdictsOf(raw: Quality, context: Context): Verdict[] {
  if (isQuick(raw)) return [];
  const { modules, summary } = raw;
  const { overall, reading } = summary.scored;
  return shippedOf(modules, context).flatMap(({ name }) => {
    const gains = overall.flatMap(({ policy, budget, tasks, items, lessSnapkv }) =>
      policy === name && lessSnapkv !== null ? [{ budget, tasks, items, ...lessSnapkv }] : [],
    );
    const decisive = gains.filter(({ budget }) => ["64", "128"].includes(budget));
    const told = (of: typeof gains) =>
      of
        .map((gain) => `${interval(gain)} more at ${gain.budget} over ${whole(gain.tasks.length)} tasks, ${whole(gain.items)} items`)
        .join("; ");
    const isWhole = askedBudgets.every((asked) => gains.some(({ budget }) => budget === asked));
    const isLost = gains.some(({ mean }) => mean < 0);
    const read = reading.find(({ policy, budget }) => policy === name && budget === "256");
    return [
      ...(isWhole || isLost ? [{ aim: neverWorse, found: told(gains), isMet: !isLost }] : []),
      ...(decisive.length < 2 ? [] : [{ aim: better, found: told(decisive), isMet: decisive.every(({ low }) => low > 0) }]),
      ...(read === undefined || read.ofFull === null
        ? []
        : [
            {
              aim: nearFull,
              found: `${percents(read.ofFull)} of it over ${whole(read.tasks.length)} sets, ${whole(read.items)} items`,
              isMet: read.ofFull.mean >= 0.95,
            },
          ]),
    ];
  });
}

const percents = ({ mean, low, high }: Interval): string => `${percent(mean)} (${percent(low)} to ${percent(high)})`;
