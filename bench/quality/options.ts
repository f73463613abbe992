import { parseArgs } from "node:util";

/** What was typed is not understood: a sentence for the person, and exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What every bench of answers takes. */
export type CommonOptions = {
  /** A known model's name, or a GGUF file. */
  readonly model: string;
  /** GGUF files of lookahead modules; `untrained` stands for one that is made for it, `shipped` for the model's own in the app. */
  readonly modules: readonly string[];
  /** Tokens kept per layer and KV head, ascending. */
  readonly budgets: readonly number[];
  /** Null: as many as the app takes. */
  readonly threads: number | null;
  /** Where the raw figures go; null for docs/results. */
  readonly out: string | null;
};

type Texts = Readonly<Record<string, string | undefined>>;

/**
 * Reads `--name value` pairs of a bench of answers.
 * @param defaults of the options there are, besides the common ones; `model`, `modules`, `threads` and `out` have their own
 * @throws UsageError for an unknown option, one without a value, or anything else
 */
export function readTexts(args: readonly string[], defaults: Texts): Texts {
  return readPairs(args, { model: "smollm2", modules: "untrained", threads: undefined, out: undefined, ...defaults });
}

/**
 * Reads `--name value` pairs.
 * @param all the options there are, with their defaults
 * @throws UsageError for an unknown option, one without a value, or anything else
 */
export function readPairs(args: readonly string[], all: Texts): Texts {
  const options = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, { type: "string" as const, ...(value === undefined ? {} : { default: value }) }]),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const there = Object.keys(all).map((name) => `--${name}`);
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\nOptions: ${there.join(", ")}.`);
  }
}

/** @throws UsageError */
export function commonOptions(texts: Texts): CommonOptions {
  const budgets = listOf(texts["budgets"]).map((text) => wholeNumber("budgets", text, 1, 1_000_000));
  if (budgets.length === 0) throw new UsageError("--budgets takes numbers of kept tokens, for example 64,128.");
  const { threads } = texts;
  return {
    model: texts["model"] ?? "",
    modules: [...new Set(listOf(texts["modules"]))],
    budgets: [...new Set(budgets)].sort((one, other) => one - other),
    threads: threads === undefined ? null : wholeNumber("threads", threads, 1, 512),
    out: texts["out"] ?? null,
  };
}

/** What `--minutes` says: after so many nothing further is begun; null where it was left out. @throws UsageError */
export function minutesOf({ minutes }: Texts): number | null {
  return minutes === undefined ? null : wholeNumber("minutes", minutes, 1, 100_000);
}

/** @throws UsageError where the text is no whole number from `least` to `most` */
export function wholeNumber(name: string, text: string | undefined, least: number, most: number): number {
  const value = /^\d+$/.test(text ?? "") ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(
    `--${name} takes a whole number from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}, not “${text ?? ""}”.`,
  );
}

/** @throws UsageError where the text is none of the choices */
export function oneOf<const Choice extends string>(name: string, text: string | undefined, choices: readonly Choice[]): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} takes ${choices.join(", ")}, not “${text ?? ""}”.`);
}

/** The entries of a list with commas. */
export function listOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
