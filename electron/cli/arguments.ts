import { extname } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { budgetSchema, type CacheMode, cacheModeSchema, defaultSampling, type Sampling } from "../contract/conversation.ts";
import { recognitionLanguageSchema } from "../contract/document.ts";
import { LongsightError } from "../contract/errors.ts";
import { kvTypeSchema } from "../contract/model.ts";
import { type ChoosingPolicy, choosingPolicySchema, type Policy, policySchema, shareSchema } from "../contract/policies.ts";
import { snapshotBudgetSchema, snapshotFormSchema } from "../contract/snapshots.ts";

/** What each policy keeps, in a line. */
const policyMeanings: Readonly<Record<ChoosingPolicy, string>> = {
  lookahead: "what the answer is expected to look at, as a trained module foresees it",
  snapkv: "what the prompt's last 32 tokens look at",
  pyramidkv: "the same, with more in the first layers and less in the last ones",
  laq: "what a short draft of the answer looks at, written from a small cache first",
  speckv: "what a draft of the answer by a smaller model looks at (--draft-model)",
  h2o: "what the whole prompt looked at most, and as many of the latest tokens; reads everything anew",
  tova: "what the last token looks at, the same in all heads of a layer",
  nacl: "mostly what the prompt's last 1 % looks at, some by chance",
  "expected-attention": "what queries like the prompt's can be expected to look at, whatever is asked; reads everything anew",
  streamingllm: "the first 4 tokens and the latest ones",
  random: "tokens drawn by chance",
};

/** What each mode does, in a line. */
const modeMeanings: Readonly<Record<CacheMode, string>> = {
  question: "chooses what is kept for each question anew, from all of the text",
  once: "chooses when the documents have been read, without the question; the choice stays on disk and serves any question",
  streaming: "reads in windows and evicts after each, with the question in view: for texts larger than memory",
};

const modeLines = () => cacheModeSchema.options.map((name) => `  ${name.padEnd(20)}${modeMeanings[name]}`).join("\n");

const policyLines = () => choosingPolicySchema.options.map((name) => `  ${name.padEnd(20)}${policyMeanings[name]}`).join("\n");

export const usage = `Usage: npm run -s longsight -- COMMAND …

  ask FILE… --question TEXT     answer a question about documents
      --pages 3-20              only these pages (one document)
      --model PATH|ID           a GGUF file or the id of an installed model
      --budget N|full           tokens kept per layer and KV head (default full: nothing is evicted)
      --policy NAME             which are kept (see below; default with a budget: lookahead)
      --draft-model PATH|ID     for the policy speckv: a model smaller than the one that answers
      --modules FOLDER          with lookahead modules, besides the ones that come with Longsight; may be repeated
      --pin FILE:PAGE:START-END keeps these characters of a page in any case (START from 0, END not included); may be repeated
      --pin-text TEXT           keeps this passage, quoted as the page has it; may be repeated
      --share NAME              of the budget between several documents: score (default: tokens compete), even, or length (mode question)
      --mode NAME               question (default), once or streaming (see below)
      --max-tokens N            longest answer (default ${defaultSampling.maxTokens})
      --temperature T           0 is greedy (default)
      --top-p P --top-k K --min-p P
      --repetition-penalty N    against going in circles (default ${defaultSampling.repetitionPenalty}; 0: off, pure sampling)
      --stop TEXT               ends the answer; may be repeated
      --seed S                  same seed, same answer
      --context N               context length in tokens, rounded up to a multiple of 256 (default: what the prompt needs)
      --kv-type NAME            f16 (default), q8_0 or q4_0
      --threads N
      --password P              for a locked PDF
      --recognise LANGUAGE      reads the text of a PDF's pages that are pictures: eng, deu or eng+deu; remembered
      --no-snapshots            neither uses nor keeps on disk what was read
      --json                    one JSON object a line on stdout
  compare FILE… --question TEXT --budget N
                                the same question answered from the full cache and from a kept one
      the options of ask, but --mode
  heatmap FILE… --question TEXT --budget N --out FILE.json|.html|.png
                                what a budget would keep of the documents: every token with its score
                                (.json), the text shaded (.html), or a PDF's pages shaded (.png)
      --policy NAME             see below (default lookahead)
      --pin, --pin-text, --share, --pages, --model, --draft-model, --modules, --context, --kv-type, --threads, --seed, --password, --recognise, --no-snapshots, --json: as for ask
  inspect FILE [--text] [--password P] [--model PATH|ID] [--json]
                                pages with characters and flags, token count
  models list [--json]          installed models
  models verify PATH [--json]   architecture, context length, memory, whether it fits
  cache [list] [--json]         what is kept on disk of documents that were read, so that they are not read again
      --budget SIZE             room that it may take, such as 500MB or 10GB; 0 keeps nothing (remembered)
      --form NAME               exact (default), or q8_0: half the size, changes the last digits of answers (remembered)
  cache clear DOCUMENT…|--all   removes it; DOCUMENT is a file, or a name or id that the list shows
  about [--json]                the engine that is loaded

Policies:
${policyLines()}

Modes, with a budget:
${modeLines()}

Exit codes: 0 done, 2 usage, 3 document, 4 model, 5 does not fit, 6 engine, 130 cancelled.`;

/** An option's text as a number; an empty one is none. */
const toNumber = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** An option that is converted from its text; `what` it takes is said where the text is not that. */
function option<Schema extends z.ZodType>(what: string, schema: Schema, convert: (text: string) => unknown = toNumber) {
  return z.string().transform((text, context): z.output<Schema> => {
    const parsed = schema.safeParse(convert(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: `takes ${what}` });
    return z.NEVER;
  });
}

/** A passage as it is named here: its file, then the page from 1 and the characters of it, the end not included. */
const namedPinSchema = z.object({ file: z.string().min(1), page: z.int().min(1), start: z.int().min(0), end: z.int().min(1) });
export type NamedPin = z.output<typeof namedPinSchema>;

function toNamedPin(written: string): unknown {
  const [, file, page, start, end] = /^(.+):(\d+):(\d+)-(\d+)$/.exec(written) ?? [];
  return Number(start) < Number(end) ? { file, page: Number(page), start: Number(start), end: Number(end) } : null;
}

/** What `ask` and `heatmap` share: the documents, the question, the model and how it is loaded. */
const readingOptions = {
  question: z.string("is missing").trim().min(1, "is empty"),
  pages: z.string().optional(),
  model: z.string().optional(),
  "draft-model": z.string().min(1, "is empty").optional(),
  modules: z.array(z.string().min(1, "is empty")).default([]),
  context: option("a whole number from 256 to 4194304", z.int().min(256).max(4_194_304)).optional(),
  "kv-type": kvTypeSchema.default("f16"),
  threads: option("a whole number from 1 to 512", z.int().min(1).max(512)).optional(),
  seed: option("a whole number from 0 to 4294967295", z.int().min(0).max(0xffff_ffff)).optional(),
  pin: z.array(option("FILE:PAGE:START-END, such as manual.pdf:3:120-260", namedPinSchema, toNamedPin)).default([]),
  "pin-text": z.array(z.string().trim().min(1, "is empty")).default([]),
  share: shareSchema.default("score"),
  password: z.string().optional(),
  recognise: option("eng, deu or eng+deu", z.array(recognitionLanguageSchema).min(1), (text) => text.split("+")).optional(),
  "no-snapshots": z.boolean().default(false),
  json: z.boolean().default(false),
};
export type ReadingOptions = z.output<z.ZodObject<typeof readingOptions>>;

/** How an answer is written. */
const answeringOptions = {
  "max-tokens": option("a whole number from 1 to 1000000", z.int().min(1).max(1_000_000)).default(defaultSampling.maxTokens),
  temperature: option("a number from 0 to 5", z.number().min(0).max(5)).default(0),
  "top-p": option("a number above 0, up to 1", z.number().gt(0).max(1)).default(defaultSampling.topP),
  "top-k": option("a whole number from 0", z.int().min(0)).default(defaultSampling.topK),
  "min-p": option("a number from 0 to 1", z.number().min(0).max(1)).default(defaultSampling.minP),
  "repetition-penalty": option("a number from 0 to 5", z.number().min(0).max(5)).default(defaultSampling.repetitionPenalty),
  stop: z.array(z.string().min(1, "is empty")).default([]),
};

const askSchema = z.object({
  ...readingOptions,
  ...answeringOptions,
  budget: option("“full” or a whole number from 1", budgetSchema, (text) => (text === "full" ? text : toNumber(text))).default("full"),
  policy: policySchema.optional(),
  mode: cacheModeSchema.default("question"),
});

const compareSchema = z.object({
  ...readingOptions,
  ...answeringOptions,
  budget: z.string("is missing").pipe(option("a whole number from 1", z.int().min(1))),
  policy: choosingPolicySchema.default("lookahead"),
});

/** How an answer is to be written, as the engine takes it. */
export function samplingOf(options: z.output<z.ZodObject<typeof answeringOptions>> & Pick<ReadingOptions, "seed">): Sampling {
  return {
    temperature: options.temperature,
    topP: options["top-p"],
    topK: options["top-k"],
    minP: options["min-p"],
    repetitionPenalty: options["repetition-penalty"],
    seed: options.seed ?? null,
    maxTokens: options["max-tokens"],
    stop: options.stop,
  };
}

/** The kinds of file that a heatmap is written to, by the end of its name. */
const heatmapFormatSchema = z.enum(["json", "html", "png"]);

const heatmapSchema = z.object({
  ...readingOptions,
  budget: z.string("is missing").pipe(option("a whole number from 1", z.int().min(1))),
  policy: choosingPolicySchema.default("lookahead"),
  out: z.string("is missing").transform((path, context) => {
    const format = heatmapFormatSchema.safeParse(extname(path).slice(1).toLowerCase());
    if (format.success) return { path, format: format.data };
    context.addIssue({ code: "custom", message: "takes the name of a file that ends in .json, .html or .png" });
    return z.NEVER;
  }),
});

const inspectSchema = z.object({
  text: z.boolean().default(false),
  model: z.string().optional(),
  password: z.string().optional(),
  json: z.boolean().default(false),
});

const sizeUnits: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** A size in words as bytes; a kB has 1,000. */
function toBytes(text: string): number {
  const match = /^(\d+(?:\.\d+)?) *([kmgt]?)b?$/i.exec(text.trim());
  return match === null ? Number.NaN : Math.round(Number(match[1]) * (sizeUnits[(match[2] ?? "").toLowerCase()] ?? Number.NaN));
}

const cacheSchema = z.object({
  budget: option("a size such as 500MB or 10GB, or 0", snapshotBudgetSchema, toBytes).optional(),
  form: snapshotFormSchema.optional(),
  all: z.boolean().default(false),
  json: z.boolean().default(false),
});

export type Command =
  | { readonly name: "ask"; readonly files: string[]; readonly options: z.output<typeof askSchema> & { readonly policy: Policy } }
  | { readonly name: "compare"; readonly files: string[]; readonly options: z.output<typeof compareSchema> }
  | { readonly name: "heatmap"; readonly files: string[]; readonly options: z.output<typeof heatmapSchema> }
  | { readonly name: "inspect"; readonly file: string; readonly options: z.output<typeof inspectSchema> }
  | { readonly name: "models-list"; readonly json: boolean }
  | { readonly name: "cache-list"; readonly options: z.output<typeof cacheSchema> }
  /** `documents`: null for all. */
  | { readonly name: "cache-clear"; readonly documents: string[] | null; readonly json: boolean }
  | { readonly name: "about"; readonly json: boolean }
  | { readonly name: "models-verify"; readonly path: string; readonly json: boolean }
  | { readonly name: "help" };

export type CommandOf<Name extends Command["name"]> = Extract<Command, { name: Name }>;

const text = { type: "string" } as const;
const several = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;

/**
 * Reads the command line.
 * @throws LongsightError `usage` with what is wrong and how it is meant
 */
export function parseCommand(argv: readonly string[]): Command {
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "-h" || name === "--help") return { name: "help" };
  if (name === "ask" || name === "heatmap" || name === "compare") {
    const schemas = { ask: askSchema, heatmap: heatmapSchema, compare: compareSchema } as const;
    const { values, positionals } = read(rest, {
      ...Object.fromEntries(Object.keys(schemas[name].shape).map((key) => [key, text])),
      ...(name === "heatmap" ? {} : { stop: several }),
      modules: several,
      pin: several,
      "pin-text": several,
      "no-snapshots": flag,
      json: flag,
    });
    if (values["help"] === true) return { name: "help" };
    if (positionals.length === 0) throw wrong(`${name} needs at least one FILE`);
    const hasPins = values["pin"] !== undefined || values["pin-text"] !== undefined;
    if (hasPins && (values["budget"] ?? "full") === "full")
      throw wrong("a passage is pinned where --budget N evicts; without a budget all is kept");
    if (values["pages"] !== undefined && positionals.length > 1) throw wrong("--pages works with one FILE");
    if (name === "heatmap") return { name, files: positionals, options: check(heatmapSchema, values) };
    if (name === "compare") return { name, files: positionals, options: check(compareSchema, values) };
    const options = check(askSchema, values);
    const policy = options.policy ?? (options.budget === "full" ? "full" : "lookahead");
    return { name, files: positionals, options: { ...options, policy } };
  }
  if (name === "inspect") {
    const { values, positionals } = read(rest, { text: flag, json: flag, model: text, password: text });
    if (values["help"] === true) return { name: "help" };
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw wrong("inspect takes one FILE");
    return { name, file, options: check(inspectSchema, values) };
  }
  if (name === "cache") return parseCache(rest);
  if (name === "models" || name === "about") {
    const { values, positionals } = read(rest, { json: flag });
    if (values["help"] === true) return { name: "help" };
    const json = values["json"] === true;
    const [action, path, ...more] = positionals;
    if (name === "about") {
      if (action !== undefined) throw wrong("about takes nothing more");
      return { name, json };
    }
    if (action === "list" && path === undefined) return { name: "models-list", json };
    if (action === "verify" && path !== undefined && more.length === 0) return { name: "models-verify", path, json };
    throw wrong("models takes “list” or “verify PATH”");
  }
  throw wrong(`there is no command “${name}”`);
}

function parseCache(argv: readonly string[]): Command {
  const { values, positionals } = read(argv, { budget: text, form: text, all: flag, json: flag });
  if (values["help"] === true) return { name: "help" };
  const options = check(cacheSchema, values);
  const [action = "list", ...documents] = positionals;
  if (action === "list" && documents.length === 0 && !options.all) return { name: "cache-list", options };
  const isChange = options.budget !== undefined || options.form !== undefined;
  if (action !== "clear" || isChange)
    throw wrong("cache takes “list”, or “clear” with DOCUMENT… or --all; --budget and --form go with the list");
  if (options.all === documents.length > 0) throw wrong("cache clear takes the documents to clear, or --all");
  return { name: "cache-clear", documents: options.all ? null : documents, json: options.json };
}

function read(argv: readonly string[], options: NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>) {
  try {
    const args = withNegatives(argv, options);
    const { values, positionals } = parseArgs({ args, allowPositionals: true, strict: true, options: { ...options, help: flag } });
    const plain: Record<string, unknown> = { ...values };
    return { values: plain, positionals };
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).replaceAll("\n", " ");
    const name = /argument (?:is ambiguous|missing)/.test(message) ? /--[\w-]+/.exec(message)?.[0] : undefined;
    throw wrong(name === undefined ? message : `${name} needs a value; one that begins with “-” is written ${name}=VALUE`);
  }
}

/** `--budget -5` as one word, so that what is said of it is what a budget takes: apart, Node takes the number for another option. */
function withNegatives(argv: readonly string[], options: Readonly<Record<string, { readonly type: string }>>): string[] {
  const args: string[] = [];
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  argv.forEach((argument, index) => {
    const before = args[args.length - 1];
    const isValue = index < end && /^-[\d.]/.test(argument) && before?.startsWith("--") && options[before.slice(2)]?.type === "string";
    if (isValue === true) args[args.length - 1] = `${before}=${argument}`;
    else args.push(argument);
  });
  return args;
}

function check<Schema extends z.ZodType>(schema: Schema, values: unknown): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.map((issue) => {
    const what = issue.code === "invalid_value" ? `takes one of: ${issue.values.join(", ")}` : issue.message;
    return `--${String(issue.path[0])} ${what}`;
  });
  throw wrong(sentences.join("; "));
}

function wrong(what: string): LongsightError {
  return new LongsightError("usage", `${what.replace(/\.$/, "")}. Run \`npm run -s longsight -- help\` to see how it is meant.`);
}
