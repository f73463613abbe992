import { z } from "zod";
import { decimal, duration, megabytes, percent, times, whole } from "../format.ts";
import { benchKind } from "../kind.ts";
import { counted, type Headline, named, type Series, type Table } from "../model.ts";
import { modulesNote, modulesSchema, shippedOf } from "../modules.ts";

const rangeSchema = z.tuple([z.number(), z.number()]);
const policySchema = z.object({
  policy: z.string(),
  readingMs: z.number(),
  draftMs: z.number(),
  draftTokens: z.number(),
  scoringMs: z.number(),
  selectionMs: z.number(),
  gatherMs: z.number(),
  addedMs: z.number(),
  share: z.number(),
  shareRange: rangeSchema,
});
const decodingSchema = z.object({ decodeMs: z.number().positive(), decodeRange: rangeSchema });
const fullSchema = decodingSchema.extend({ rounds: z.number().int(), prefillMs: z.number().positive(), prefillRange: rangeSchema });
const lengthSchema = z.object({
  promptTokens: z.number().int().positive(),
  own: fullSchema
    .extend({
      firstTokenMs: z.number(),
      cacheBytes: z.number(),
      kept: z.array(decodingSchema.extend({ budget: z.number().int(), cacheBytes: z.number() })),
      policies: z.array(policySchema),
    })
    .nullable(),
  others: z.array(fullSchema.extend({ program: z.string(), kvType: z.string() })),
});
const schema = z.object({
  model: z.object({ id: z.string() }),
  modules: modulesSchema,
  threads: z.number().int(),
  rounds: z.number().int(),
  reference: z.number().int(),
  draft: z.object({ file: z.string() }).nullable(),
  load: z.number(),
  kvType: z.string(),
  variant: z.string(),
  extent: z.object({ items: z.number().int(), measured: z.number().int() }),
  outcomes: z.array(z.object({ others: z.number().nullable() })),
  beside: z.array(
    z.object({ program: z.string(), package: z.string().optional(), source: z.string().optional(), variant: z.string().optional() }),
  ),
  missing: z.array(z.object({ what: z.string(), reason: z.string() })),
  summary: z.object({
    lengths: z.array(lengthSchema).min(1),
    growth: z.array(
      z.object({
        what: z.string(),
        stage: z.string(),
        exponent: z.number().nullable(),
        points: z.array(z.object({ tokens: z.number().positive(), ms: z.number() })),
      }),
    ),
  }),
});
type Raw = z.infer<typeof schema>;
type Length = z.infer<typeof lengthSchema>;

/** They foresee the answer by writing a draft of it, as lookahead does by what it learned. */
const drafting = ["laq", "speckv"];
/** The paper's, and the shortest prompt that it can be asked of: 32 rows alone are 3 % of a thousand. */
const most = { share: 0.0216, from: 4000 };
const little = {
  issue: 8,
  text: `Lookahead adds less than ${percent(most.share, 2)} to reading the longest prompt, of at least ${whole(most.from)} tokens`,
};
const cheapest = {
  issue: 8,
  text: "Lookahead adds at most a tenth of what each policy that drafts adds to the longest prompt (laq, speckv)",
};

/** Cores that others may take of the machine while it is measured. */
const mostOthers = 0.1;

const programNames: Readonly<Record<string, string>> = { stock: "node-llama-cpp as it comes", "llama-bench": "llama-bench" };
const nameOf = (program: string): string => programNames[program] ?? program;
const perSecond = (tokens: number, ms: number): string => decimal((tokens / ms) * 1000, 1);

export const speed = benchKind({
  name: "speed",
  title: "Speed",
  about:
    "Each stage of an answer by length, policy and budget, beside node-llama-cpp of the same version with its own unpatched binaries and llama.cpp's llama-bench, both with full caches. All take turns, each in a process of its own, with the same threads and the same prompts (llama-bench: as many tokens by chance).",
  aims: [little, cheapest],
  schema,
  show(raw, context) {
    const { model, modules, threads, reference, draft, beside, missing, summary } = raw;
    const longest = longestOf(raw);
    const shipped = shippedOf(modules, context);
    const tokens = summary.lengths.map(({ promptTokens }) => whole(promptTokens));
    return {
      subject: `${model.id}, ${tokens.length > 1 ? `${tokens[0]} to ${tokens.at(-1)}` : tokens[0]} tokens`,
      tables: [overheadTable(raw), ...stageTables(raw), besideTable(raw), rangeTable(raw), ...cacheTables(raw), ...growthTables(raw)],
      plots: [overheadPlot(raw), decodePlot(raw)],
      verdicts: shipped.flatMap(({ name }) => [...littleVerdicts(summary.lengths, name), ...cheapestVerdicts(longest, name)]),
      headlines: besideHeadlines(raw),
      notes: [
        `${threads} threads, the same in all programs. ${calmOf(raw)}`,
        ...extentNotes(raw),
        `Budgets are tokens for each layer and KV head, those that are always kept among them. Longsight's cache is ${raw.kvType}; flash attention is on in all programs, and a batch has at most 512 tokens. Longsight reads in steps of at most half a second, as the app does. The prompt has the model's chat template, and the question at its end; nothing comes from a snapshot.`,
        "A decoded token is the one in the middle of 32 right behind the prompt, with the choice of the next one. llama-bench times all 32 together and chooses none, and counts no first token either.",
        ...modulesNote(modules, context),
        ...(draft === null ? [] : [`speckv's draft model: ${draft.file}; its time has the loading of it.`]),
        `What policies add is measured at a budget of ${reference}. A first token is there before any of it.`,
        `Longsight's kernels: ${raw.variant}.`,
        ...beside.map(
          ({ program, package: name, source, variant }) =>
            `${nameOf(program)}: ${name ?? source ?? "version unknown"}${variant === undefined ? "" : `, kernels: ${variant}`}.`,
        ),
        ...missing.map(({ what, reason }) => `Not measured: ${what}. ${reason}`),
        "The paper (arXiv 2603.10899) has below 2.16 % for LookaheadKV, about 31 % for LAQ, about 29 % for SpecKV, on other hardware and longer prompts.",
      ],
    };
  },
});

const mediansOf = (rounds: number): string => (rounds === 1 ? "one round" : `medians of ${rounds} rounds`);

/** How calm the machine was: what others took of it while turns were measured, and the load before all of them. */
function calmOf({ outcomes, load }: Raw): string {
  const others = outcomes.flatMap(({ others: cores }) => (cores === null ? [] : [cores]));
  const before = `Load of the machine before: ${decimal(load, 1)}`;
  if (others.length === 0) return `${before}${load > 1 ? ": it was busy, and times are longer than on an idle one" : ""}.`;
  const beside = others.filter((cores) => cores > mostOthers).length;
  const most = `Other programs took at most ${decimal(Math.max(...others), 2)} cores while a turn was measured`;
  return `${before}. ${most}${beside === 0 ? "" : `, more than ${decimal(mostOthers, 1)} in ${beside} of ${others.length} turns: times are longer than on an idle machine`}.`;
}

/** How often each length was measured. */
function extentNotes({ rounds, extent, summary }: Raw): string[] {
  const medians =
    rounds === 1
      ? "One round."
      : `Medians of ${rounds} rounds, each begun by another program; shares are medians of each round's own, with the least and the most.`;
  if (extent.measured >= extent.items) return [medians];
  const fewer = summary.lengths.flatMap(({ promptTokens, own, others }) => {
    const had = [...(own === null ? [] : [own.rounds]), ...others.map((other) => other.rounds)];
    const [least, most] = [Math.min(...had), Math.max(...had)];
    if (had.length === 0 || least >= rounds) return [];
    return [`of ${whole(promptTokens)} tokens ${least === most ? least : `${least} or ${most}`}`];
  });
  const early = `The run was ended before all of its turns were measured (${extent.measured} of ${extent.items}).`;
  return [medians, `${early}${fewer.length === 0 ? "" : ` Rounds ${fewer.join(", ")}.`}`];
}

/** Policies in the order of the file, each once. */
const policiesOf = ({ summary }: Raw): string[] => [
  ...new Set(summary.lengths.flatMap(({ own }) => own?.policies.map(({ policy }) => policy) ?? [])),
];
/** The longest prompt that the app's engine has read; a run may have been ended before. */
const longestOf = ({ summary }: Raw): Length | undefined => summary.lengths.filter(({ own }) => own !== null).at(-1);
const policyAt = ({ own }: Length, policy: string) => own?.policies.find((one) => one.policy === policy);

function overheadTable(raw: Raw): Table {
  const { summary, rounds, reference } = raw;
  return {
    caption: `What a policy adds, as a share of reading the prompt, at a budget of ${reference}; ${mediansOf(rounds)}`,
    columns: [named("policy"), ...summary.lengths.map(({ promptTokens }) => counted(`${whole(promptTokens)} tokens`)), counted("exponent")],
    rows: policiesOf(raw).map((policy) => [
      policy,
      ...summary.lengths.map((length) => {
        const at = policyAt(length, policy);
        if (at === undefined) return "–";
        const [least, most] = at.shareRange;
        return least === most ? percent(at.share, 2) : `${percent(at.share, 2)} (${decimal(least * 100, 2)} to ${decimal(most * 100, 2)})`;
      }),
      exponentOf(raw, policy, "all that it adds"),
    ]),
  };
}

function exponentOf({ summary }: Raw, what: string, stage: string): string {
  const exponent = summary.growth.find((one) => one.what === what && one.stage === stage)?.exponent ?? null;
  return exponent === null ? "–" : decimal(exponent, 2);
}

/** The stages of each policy, for the longest prompt. */
function stageTables(raw: Raw): Table[] {
  const { rounds, reference } = raw;
  const longest = longestOf(raw);
  if (longest?.own === undefined || longest.own === null) return [];
  const { prefillMs, firstTokenMs, policies } = longest.own;
  return [
    {
      caption: `${whole(longest.promptTokens)} tokens, read in ${duration(prefillMs)}, the first token chosen in ${duration(firstTokenMs)}: what a policy adds at a budget of ${reference}, ms; ${mediansOf(rounds)}`,
      columns: [
        named("policy"),
        ...["while reading", "drafting", "scoring", "selecting", "gathering", "all", "tokens of the draft"].map(counted),
      ],
      rows: policies.map(({ policy, readingMs, draftMs, draftTokens, scoringMs, selectionMs, gatherMs, addedMs }) => [
        policy,
        ...[readingMs, draftMs, scoringMs, selectionMs, gatherMs, addedMs].map((time) => decimal(time, 1)),
        draftTokens === 0 ? "" : whole(draftTokens),
      ]),
    },
  ];
}

/** A way to answer, and its times at one length; what is kept was read by the full cache. */
type Way = z.infer<typeof decodingSchema> & { name: string; what: string } & ({ prefillMs: null } | z.infer<typeof fullSchema>);

function waysOf({ own, others }: Length): Way[] {
  const ours: Way[] =
    own === null
      ? []
      : [
          { name: "Longsight, full cache, f16", what: "longsight, full", ...own },
          ...own.kept.map(
            (kept): Way => ({ ...kept, name: `Longsight, ${kept.budget} kept`, what: `longsight, ${kept.budget} kept`, prefillMs: null }),
          ),
        ];
  const theirs = others.map(
    ({ program, kvType, ...measured }): Way => ({
      name: `${nameOf(program)}, full cache, ${kvType}`,
      what: `${program}, ${kvType}`,
      ...measured,
    }),
  );
  return [...ours, ...theirs];
}

const wayNames = ({ summary }: Raw): { name: string; what: string }[] => [
  ...new Map(summary.lengths.flatMap(waysOf).map(({ name, what }) => [name, { name, what }])).values(),
];

function besideTable(raw: Raw): Table {
  return tableOfWays(raw, `Reading and decoding side by side, tokens a second; ${mediansOf(raw.rounds)}`, (way, tokens) => [
    way.prefillMs === null ? "" : perSecond(tokens, way.prefillMs),
    perSecond(1, way.decodeMs),
  ]);
}

/** The same of the slowest and the fastest round. */
function rangeTable(raw: Raw): Table {
  const between = (tokens: number, [least, most]: readonly [number, number]) => `${perSecond(tokens, most)} to ${perSecond(tokens, least)}`;
  return tableOfWays(raw, "The same in the slowest and the fastest round", (way, tokens) => [
    way.prefillMs === null ? "" : between(tokens, way.prefillRange),
    between(1, way.decodeRange),
  ]);
}

/** @param cells of reading and of decoding */
function tableOfWays(raw: Raw, caption: string, cells: (way: Way, promptTokens: number) => [string, string]): Table {
  const { lengths } = raw.summary;
  return {
    caption,
    columns: [
      named(""),
      ...lengths.flatMap(({ promptTokens }) => [
        counted(`reading ${whole(promptTokens)}`),
        counted(`decoding behind ${whole(promptTokens)}`),
      ]),
    ],
    rows: wayNames(raw).map(({ name }) => [
      name,
      ...lengths.flatMap((length) => {
        const way = waysOf(length).find((one) => one.name === name);
        return way === undefined ? ["–", "–"] : cells(way, length.promptTokens);
      }),
    ]),
  };
}

/** Caches as they are allocated. */
function cacheTables({ summary }: Raw): Table[] {
  const lengths = summary.lengths.flatMap(({ promptTokens, own }) => (own === null ? [] : [{ promptTokens, own }]));
  const budgets = [...new Set(lengths.flatMap(({ own }) => own.kept.map(({ budget }) => budget)))];
  if (lengths.length === 0) return [];
  return [
    {
      caption: "Allocated caches of Longsight, with room for what is decoded",
      columns: [named("cache"), ...lengths.map(({ promptTokens }) => counted(`${whole(promptTokens)} tokens`))],
      rows: [
        ["full", ...lengths.map(({ own }) => megabytes(own.cacheBytes))],
        ...budgets.map((budget) => [
          `${budget} kept`,
          ...lengths.map(({ own }) => {
            const kept = own.kept.find((one) => one.budget === budget);
            return kept === undefined ? "–" : megabytes(kept.cacheBytes);
          }),
        ]),
      ],
    },
  ];
}

/** Exponents of the stages that the other tables have no column for. */
function growthTables(raw: Raw): Table[] {
  if (raw.summary.lengths.length < 2) return [];
  const policyStages = ["scoring", "selecting", "gathering"];
  return [
    {
      caption:
        "How times grow with the length of the prompt: the exponent of the least-squares line through the logarithms (1: in proportion)",
      columns: [named("program, cache"), counted("reading"), counted("decoding")],
      rows: wayNames(raw).map(({ name, what }) => [name, exponentOf(raw, what, "reading"), exponentOf(raw, what, "decoding")]),
    },
    {
      caption: "How the stages of policies grow: the same exponent (–: a time that is not above 0)",
      columns: [named("policy"), ...policyStages.map(counted)],
      rows: policiesOf(raw).map((policy) => [policy, ...policyStages.map((stage) => exponentOf(raw, policy, stage))]),
    },
  ];
}

/** Times that are not above 0 have no logarithm: a difference of two measurements may be below. */
function overheadPlot(raw: Raw) {
  const { model, summary, reference } = raw;
  const reading = summary.growth.find(({ what, stage }) => what === "longsight, full" && stage === "reading");
  const added = policiesOf(raw).flatMap((policy): Series[] => {
    const grown = summary.growth.find(({ what, stage }) => what === policy && stage === "all that it adds");
    return grown === undefined ? [] : [seriesOf(policy, grown.points)];
  });
  return {
    form: "lines",
    name: "overhead",
    title: `What policies add to reading, by length, at a budget of ${reference}: ${model.id}`,
    x: { label: "tokens of the prompt", scale: "logarithmic" },
    y: { label: "ms", scale: "logarithmic" },
    series: [...(reading === undefined ? [] : [seriesOf("reading itself", reading.points)]), ...added].filter(
      ({ points }) => points.length > 0,
    ),
  } as const;
}

function decodePlot(raw: Raw) {
  return {
    form: "lines",
    name: "decode",
    title: `A decoded token, by length: ${raw.model.id}`,
    x: { label: "tokens of the prompt", scale: "logarithmic" },
    y: { label: "ms", scale: "logarithmic" },
    series: wayNames(raw).map(({ name }) => ({
      name,
      points: raw.summary.lengths.flatMap((length) =>
        waysOf(length)
          .filter((way) => way.name === name)
          .map(({ decodeMs }) => ({ x: length.promptTokens, y: decodeMs })),
      ),
    })),
  } as const;
}

const seriesOf = (name: string, points: readonly { tokens: number; ms: number }[]): Series => ({
  name,
  points: points.filter(({ ms }) => ms > 0).map(({ tokens, ms }) => ({ x: tokens, y: ms })),
});

function littleVerdicts(lengths: readonly Length[], name: string) {
  const shares = lengths.flatMap((length) => {
    const at = policyAt(length, name);
    return at === undefined ? [] : [{ promptTokens: length.promptTokens, share: at.share }];
  });
  const last = shares.at(-1);
  if (last === undefined || last.promptTokens < most.from) return [];
  const found = shares.map(({ promptTokens, share }) => `${percent(share, 2)} of ${whole(promptTokens)} tokens`).join(", ");
  return [{ aim: little, found, isMet: last.share < most.share }];
}

function cheapestVerdicts(longest: Length | undefined, name: string) {
  if (longest === undefined || longest.promptTokens < most.from) return [];
  const own = policyAt(longest, name)?.addedMs ?? 0;
  const drafts = drafting.flatMap((policy) => policyAt(longest, policy) ?? []);
  if (own <= 0 || drafts.length === 0) return [];
  const found = drafts.map(({ policy, addedMs }) => `${policy} ${times(addedMs / own)} as much`).join(", ");
  return [{ aim: cheapest, found, isMet: drafts.every(({ addedMs }) => addedMs >= 10 * own) }];
}

/** The README's lines: reading and decoding against node-llama-cpp as it comes, for the longest prompt that both have read. */
function besideHeadlines({ summary: { lengths }, model, variant, beside }: Raw): Headline[] {
  const stockOf = ({ others }: Length) => others.filter(({ program }) => program === "stock");
  const longest = lengths.filter((length) => length.own !== null && stockOf(length).length > 0).at(-1);
  if (longest === undefined || longest.own === null) return [];
  const { promptTokens, own } = longest;
  // Then it is a comparison of builds, and not of programs.
  const theirVariant = beside.find(({ program }) => program === "stock")?.variant ?? variant;
  const about = theirVariant === variant ? model.id : `${model.id}; its kernels are ${theirVariant}, Longsight's ${variant}`;
  const stock = stockOf(longest);
  const kept = own.kept.map(({ budget, decodeMs }) => `${perSecond(1, decodeMs)} from ${budget} kept`);
  const theirs = (read: (other: (typeof stock)[number]) => string) => stock.map((other) => `${read(other)} (${other.kvType})`).join(", ");
  return [
    {
      what: `reading ${whole(promptTokens)} tokens, against node-llama-cpp as it comes (${about})`,
      figure: `${perSecond(promptTokens, own.prefillMs)} tokens/s; it: ${theirs(({ prefillMs }) => perSecond(promptTokens, prefillMs))}`,
    },
    {
      what: `decoding behind ${whole(promptTokens)} tokens, against node-llama-cpp as it comes (${about})`,
      figure: `${[...kept, `${perSecond(1, own.decodeMs)} from all`].join(", ")} tokens/s; it, from all: ${theirs(({ decodeMs }) => perSecond(1, decodeMs))}`,
    },
  ];
}
