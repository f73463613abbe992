import { z } from "zod";
import type { OtherTimes } from "./outcome.ts";
import type { CacheType } from "./turns.ts";

/** The two calls that a turn of llama-bench takes: it cannot time decoding behind a prompt in the run that times the prompt. */
export type BenchCall = "prefill" | "decode";

export type BenchAsked = {
  readonly model: string;
  readonly promptTokens: number;
  readonly answerTokens: number;
  readonly threads: number;
  readonly kvType: CacheType;
  readonly isOnGpu: boolean;
};

/** Read first, unmeasured, so that weights are in memory and threads are there; its own warm-up would read the whole prompt twice. */
export const warmUpTokens = 512;

/** What llama-bench is called with: batches, threads and attention as the app has them, one repetition, JSON. */
export function benchArguments({ model, promptTokens, answerTokens, threads, kvType, isOnGpu }: BenchAsked, call: BenchCall): string[] {
  const test =
    call === "prefill"
      ? ["-p", `${warmUpTokens},${promptTokens}`, "-n", "0"]
      : ["-p", "0", "-n", String(answerTokens), "-d", String(promptTokens)];
  const same = [
    "-t",
    String(threads),
    "-b",
    "512",
    "-ub",
    "512",
    "-fa",
    "on",
    "-ngl",
    isOnGpu ? "999" : "0",
    "-ctk",
    kvType,
    "-ctv",
    kvType,
  ];
  return ["-m", model, ...same, ...test, "-r", "1", "--no-warmup", "-o", "json"];
}

const testsSchema = z.array(
  z.object({
    n_prompt: z.number().int(),
    n_gen: z.number().int(),
    n_depth: z.number().int(),
    n_threads: z.number().int(),
    type_k: z.string(),
    type_v: z.string(),
    samples_ns: z.array(z.number().positive()).min(1),
  }),
);

/**
 * The time that a call measured, in milliseconds: of the whole prompt, or of all tokens that were decoded.
 * @param output what it wrote to standard output
 * @throws RangeError where it is no such report, or one of another test
 */
export function benchMilliseconds(output: string, { promptTokens, answerTokens, threads, kvType }: BenchAsked, call: BenchCall): number {
  const tests = testsSchema.safeParse(parsed(output));
  if (!tests.success) throw new RangeError(`llama-bench reported something else than its tests: ${output.slice(0, 200)}`);
  const wanted =
    call === "prefill" ? { n_prompt: promptTokens, n_gen: 0, n_depth: 0 } : { n_prompt: 0, n_gen: answerTokens, n_depth: promptTokens };
  // The last one: a prompt as long as the warm-up comes after it.
  const found = tests.data.filter(
    (test) =>
      test.n_prompt === wanted.n_prompt &&
      test.n_gen === wanted.n_gen &&
      test.n_depth === wanted.n_depth &&
      test.n_threads === threads &&
      test.type_k === kvType &&
      test.type_v === kvType,
  );
  const nanoseconds = found.at(-1)?.samples_ns.at(-1);
  if (nanoseconds === undefined) throw new RangeError(`llama-bench did not report the test that it was asked for (${call}).`);
  return nanoseconds / 1e6;
}

/** A turn's times: llama-bench times all decoded tokens together, so each counts as long as their mean. */
export function benchTimes(prefillMs: number, decodeMs: number, answerTokens: number): OtherTimes {
  return { prefillMs, decodeMs: [decodeMs / answerTokens] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
