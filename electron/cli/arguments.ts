import { parseArgs } from "node:util";
import { z } from "zod";
import { budgetSchema, cacheModeSchema, defaultSampling, policySchema } from "../contract/conversation.ts";
import { LongsightError } from "../contract/errors.ts";
import { kvTypeSchema } from "../contract/model.ts";

export const usage = `Usage: npm run -s longsight -- COMMAND …

  ask FILE… --question TEXT     answer a question about documents
      --pages 3-20              only these pages (one document)
      --model PATH|ID           a GGUF file or the id of an installed model
      --budget N|full           tokens kept per layer and KV head
      --policy NAME             full
      --mode NAME               question
      --max-tokens N            longest answer (default ${defaultSampling.maxTokens})
      --temperature T           0 is greedy (default)
      --top-p P --top-k K --min-p P
      --repetition-penalty N    against going in circles (default ${defaultSampling.repetitionPenalty}; 0: off, pure sampling)
      --stop TEXT               ends the answer; may be repeated
      --seed S                  same seed, same answer
      --context N               context length in tokens (default: what the prompt needs)
      --kv-type NAME            f16 (default), q8_0 or q4_0
      --threads N
      --password P              for a locked PDF
      --json                    one JSON object a line on stdout
  inspect FILE [--text] [--password P] [--model PATH|ID] [--json]
                                pages with characters and flags, token count
  models list [--json]          installed models
  models verify PATH [--json]   architecture, context length, memory, whether it fits
  about [--json]                the engine that is loaded

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

const askSchema = z.object({
  question: z.string("is missing").trim().min(1, "is empty"),
  pages: z.string().optional(),
  model: z.string().optional(),
  budget: option("“full” or a whole number from 1", budgetSchema, (text) => (text === "full" ? text : toNumber(text))).default("full"),
  policy: policySchema.default("full"),
  mode: cacheModeSchema.default("question"),
  "max-tokens": option("a whole number from 1 to 1000000", z.int().min(1).max(1_000_000)).default(defaultSampling.maxTokens),
  temperature: option("a number from 0 to 5", z.number().min(0).max(5)).default(0),
  "top-p": option("a number above 0, up to 1", z.number().gt(0).max(1)).default(defaultSampling.topP),
  "top-k": option("a whole number from 0", z.int().min(0)).default(defaultSampling.topK),
  "min-p": option("a number from 0 to 1", z.number().min(0).max(1)).default(defaultSampling.minP),
  "repetition-penalty": option("a number from 0 to 5", z.number().min(0).max(5)).default(defaultSampling.repetitionPenalty),
  stop: z.array(z.string().min(1, "is empty")).default([]),
  seed: option("a whole number from 0 to 4294967295", z.int().min(0).max(0xffff_ffff)).optional(),
  context: option("a whole number from 256 to 4194304", z.int().min(256).max(4_194_304)).optional(),
  "kv-type": kvTypeSchema.default("f16"),
  threads: option("a whole number from 1 to 512", z.int().min(1).max(512)).optional(),
  password: z.string().optional(),
  json: z.boolean().default(false),
});

const inspectSchema = z.object({
  text: z.boolean().default(false),
  model: z.string().optional(),
  password: z.string().optional(),
  json: z.boolean().default(false),
});

export type Command =
  | { readonly name: "ask"; readonly files: string[]; readonly options: z.output<typeof askSchema> }
  | { readonly name: "inspect"; readonly file: string; readonly options: z.output<typeof inspectSchema> }
  | { readonly name: "models-list"; readonly json: boolean }
  | { readonly name: "about"; readonly json: boolean }
  | { readonly name: "models-verify"; readonly path: string; readonly json: boolean }
  | { readonly name: "help" };

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/**
 * Reads the command line.
 * @throws LongsightError `usage` with what is wrong and how it is meant
 */
export function parseCommand(argv: readonly string[]): Command {
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "-h" || name === "--help") return { name: "help" };
  if (name === "ask") {
    const { values, positionals } = read(rest, {
      ...Object.fromEntries(Object.keys(askSchema.shape).map((key) => [key, text])),
      stop: { type: "string", multiple: true },
      json: flag,
    });
    if (values["help"] === true) return { name: "help" };
    if (positionals.length === 0) throw wrong("ask needs at least one FILE");
    const options = check(askSchema, values);
    if (options.pages !== undefined && positionals.length > 1) throw wrong("--pages works with one FILE");
    return { name, files: positionals, options };
  }
  if (name === "inspect") {
    const { values, positionals } = read(rest, { text: flag, json: flag, model: text, password: text });
    if (values["help"] === true) return { name: "help" };
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw wrong("inspect takes one FILE");
    return { name, file, options: check(inspectSchema, values) };
  }
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

function read(argv: string[], options: NonNullable<Parameters<typeof parseArgs>[0]>["options"]) {
  try {
    const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, strict: true, options: { ...options, help: flag } });
    const plain: Record<string, unknown> = { ...values };
    return { values: plain, positionals };
  } catch (error) {
    throw wrong((error instanceof Error ? error.message : String(error)).replaceAll("\n", " "));
  }
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
