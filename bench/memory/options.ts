import { type CommonOptions, listOf, oneOf, readPairs, wholeNumber } from "../quality/options.ts";
import { type Row, rows } from "./rows.ts";

export type MemoryOptions = Pick<CommonOptions, "model" | "threads" | "out"> & {
  /** The prompt has at most so many, and no whole line less. */
  readonly tokens: number;
  readonly rounds: number;
  /** Tokens kept per layer and KV head. */
  readonly budget: number;
  /** Most tokens of the answer. */
  readonly answer: number;
  readonly rows: readonly Row[];
};

/** @throws UsageError */
export function parseMemoryOptions(args: readonly string[]): MemoryOptions {
  const names = rows.map(({ name }) => name);
  const texts = readPairs(args, {
    tokens: "6000",
    rounds: "3",
    budget: "256",
    answer: "128",
    rows: names.join(","),
    model: "smollm2",
    threads: undefined,
    out: undefined,
  });
  const { threads } = texts;
  const wanted = new Set(listOf(texts["rows"]).map((name) => oneOf("rows", name, names)));
  if (wanted.size === 0) oneOf("rows", "", names);
  const tokens = wholeNumber("tokens", texts["tokens"], 512, 1_000_000);
  return {
    tokens,
    rounds: wholeNumber("rounds", texts["rounds"], 1, 1000),
    // More would leave nothing to evict.
    budget: wholeNumber("budget", texts["budget"], 64, tokens / 2),
    answer: wholeNumber("answer", texts["answer"], 2, 10_000),
    rows: rows.filter(({ name }) => wanted.has(name)),
    model: texts["model"] ?? "",
    threads: threads === undefined ? null : wholeNumber("threads", threads, 1, 512),
    out: texts["out"] ?? null,
  };
}
