import { z } from "zod";
import { interval, whole } from "../format.ts";
import type { Kind } from "../kind.ts";
import { machineName } from "../machine.ts";
import { counted, named, type Verdict } from "../model.ts";

const claimSchema = z.object({ format: z.literal("longsight-evaluation-2") });
const intervalSchema = z.object({ mean: z.number(), low: z.number(), high: z.number() });
const byBudget = z.record(z.string(), intervalSchema);
const schema = claimSchema.extend({
  subject: z.object({
    base: z.object({ file: z.string() }),
    modules: z.array(z.object({ name: z.string(), file: z.string(), sha256: z.string(), steps: z.number().int() })),
    groups: z.array(z.object({ file: z.string() })),
  }),
  machine: z.object({ system: z.string(), processor: z.string(), cores: z.number().int().positive() }),
  date: z.iso.date(),
  counts: z.object({ groups: z.number().int(), prompts: z.number().int() }),
  policies: z
    .array(
      z.object({
        policy: z.object({ name: z.string(), module: z.string().nullable(), is_variant: z.boolean() }),
        figures: z.object({ recall: byBudget, mass: byBudget, kl: intervalSchema.nullable(), kl_per_head: intervalSchema.nullable() }),
      }),
    )
    .min(1),
});
type Evaluation = z.infer<typeof schema>;

const recall = {
  issue: 5,
  text: "Recall at 64 and 128 above SnapKV's by at least 0.06 and above the untrained module's by at least 0.05, intervals apart",
};
const mass = { issue: 5, text: "Kept attention above SnapKV's and the untrained module's at every K" };
const divergence = { issue: 5, text: "KL per query head, which is what is learned by, at most half of the untrained module's" };

/** Of a trained module against what it has to be better than. */
function verdictsOf({ policies }: Evaluation, name: string): Verdict[] {
  const figuresOf = (policy: string) => policies.find((one) => one.policy.name === policy)?.figures;
  const [trained, untrained, snapkv] = [figuresOf(name), figuresOf("untrained"), figuresOf("snapkv")];
  if (trained === undefined || untrained === undefined || snapkv === undefined) return [];
  const budgets = Object.keys(trained.recall);
  const aheadAt = (budget: string, other: typeof snapkv, least: number) => {
    const [own, its] = [trained.recall[budget], other.recall[budget]];
    return own !== undefined && its !== undefined && own.mean - its.mean >= least && own.low > its.high;
  };
  const at = (figures: typeof snapkv, budget: string) => figures.recall[budget]?.mean.toFixed(3) ?? "–";
  const massAt = (figures: typeof snapkv, budget: string) => figures.mass[budget]?.mean ?? Number.NaN;
  const behind = budgets.filter((budget) => !(massAt(trained, budget) > Math.max(massAt(snapkv, budget), massAt(untrained, budget))));
  const [learned, given] = [trained.kl_per_head, untrained.kl_per_head];
  const ratio = learned === null || given === null ? null : learned.mean / given.mean;
  return [
    {
      aim: recall,
      found: ["64", "128"]
        .map((budget) => `at ${budget} ${at(trained, budget)}, SnapKV ${at(snapkv, budget)}, untrained ${at(untrained, budget)}`)
        .join("; "),
      isMet: ["64", "128"].every((budget) => aheadAt(budget, snapkv, 0.06) && aheadAt(budget, untrained, 0.05)),
    },
    { aim: mass, found: behind.length === 0 ? "it is" : `not at ${behind.join(", ")}`, isMet: behind.length === 0 },
    ...(ratio === null ? [] : [{ aim: divergence, found: `${(ratio * 100).toFixed(1)} % of it`, isMet: ratio <= 0.5 }]),
  ];
}

/** What training's evaluation writes (training/README.md): its variants are in the report beside the raw file. */
export const evaluation: Kind = {
  name: "evaluation",
  title: "Learned modules",
  about:
    "Of the K tokens that the real answer looks at most, the share that a policy has among its own first K (recall), and the share of the answer's attention on them (mass). Prompts that training never saw; no protected tokens.",
  aims: [recall, mass, divergence],
  claims: (content) => claimSchema.safeParse(content).success,
  read(content, { shipped }) {
    const raw = schema.parse(content);
    const { subject, machine, date, counts } = raw;
    const rows = raw.policies.filter(({ policy }) => !policy.is_variant);
    const budgets = Object.keys(rows[0]?.figures.recall ?? {});
    const known = subject.modules.filter(({ sha256 }) => shipped.has(sha256));
    const files = ["--base", subject.base.file, ...subject.modules.flatMap(({ file }) => ["--module", file])];
    const groups = subject.groups.flatMap(({ file }) => ["--groups", file]);
    const modules = subject.modules.map(({ name, file, sha256, steps }) => {
      const place = shipped.has(sha256) ? ", the one that comes with the app" : "";
      return `${name}: ${file}, ${whole(steps)} steps, SHA-256 ${sha256.slice(0, 12)}${place}`;
    });
    const table = (caption: string, read: (figures: (typeof rows)[number]["figures"]) => z.infer<typeof byBudget>) => ({
      caption,
      columns: [named("policy"), ...budgets.map((budget) => counted(`K = ${budget}`))],
      rows: rows.map(({ policy, figures }) => [
        policy.name,
        ...budgets.map((budget) => {
          const cell = read(figures)[budget];
          return cell === undefined ? "–" : interval(cell);
        }),
      ]),
    });
    return {
      origin: {
        command: ["python -m longsight_training evaluate", ...files, ...groups].join(" "),
        date,
        commit: null,
        machine: machineName({
          cpu: machine.processor,
          cores: machine.cores,
          memoryBytes: null,
          system: machine.system.toLowerCase().replace("x86_64", "x64"),
        }),
        series: `evaluation-${subject.base.file}`,
      },
      shown: {
        subject: subject.base.file,
        tables: [
          table(`Recall of ${counts.prompts} prompts; 95 % intervals over their ${counts.groups} groups`, (figures) => figures.recall),
          table("Kept attention of the same prompts", (figures) => figures.mass),
          {
            caption:
              "KL(truth ‖ scores) over the prompt, in nats: per query head, which training learns by, and per KV head, as scores are used",
            columns: [named("policy"), counted("per query head"), counted("per KV head")],
            rows: rows.map(({ policy, figures }) => [
              policy.name,
              ...[figures.kl_per_head, figures.kl].map((figure) => (figure === null ? "–" : interval(figure))),
            ]),
          },
        ],
        plots: [
          {
            form: "lines",
            name: "recall",
            title: `Recall: ${subject.base.file}`,
            x: { label: "K: tokens kept per layer and KV head", scale: "logarithmic" },
            y: { label: "recall", most: 1 },
            // Other poolings of the same scores have a comma in their names, and are in the table.
            series: rows
              .filter(({ policy }) => !policy.name.includes(","))
              .map(({ policy, figures }) => ({
                name: policy.name,
                points: Object.entries(figures.recall).map(([budget, { mean }]) => ({ x: Number(budget), y: mean })),
              })),
          },
        ],
        verdicts: known.flatMap(({ name }) => verdictsOf(raw, name)),
        headlines: [],
        notes: [`${modules.join("; ")}. Variants and Kendall's τ are in the report.md beside the raw file.`],
      },
    };
  },
};
