import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { roundContext } from "../../electron/contract/fit.ts";
import { sha256Of } from "../../scripts/files.mjs";
import type { Tools } from "../quality/tools.ts";
import { ChildError, lastJson, outputOf } from "./child.ts";
import { answerTokens, type Prepared } from "./engine/job.ts";
import { benchArguments, benchMilliseconds, benchTimes, warmUpTokens } from "./llamaBench.ts";
import type { Program, SpeedOptions } from "./options.ts";
import { type OtherTimes, otherTimes } from "./outcome.ts";
import type { CacheType } from "./turns.ts";

type Asked = { readonly length: number; readonly kvType: CacheType };

/** What the app's engine is measured beside: who it is, for the results, and how it takes its turn. */
export type OtherProgram = {
  readonly program: Program;
  readonly described: Readonly<Record<string, string>>;
  /** @throws ChildError, RangeError */
  readonly measure: (asked: Asked) => Promise<OtherTimes>;
};

/** A thing that the run does without, and why. */
export type Missing = { readonly what: string; readonly reason: string };

/**
 * Fetches and builds what is asked for; what cannot be had is said, and no reason to do without the rest.
 * @param work has the programs for as long as it runs
 */
export async function withPrograms<Result>(
  { beside, isQuick }: Pick<SpeedOptions, "beside" | "isQuick">,
  { scripts }: Pick<Tools, "scripts">,
  prepared: Prepared,
  work: (found: readonly OtherProgram[], missing: readonly Missing[]) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "longsight-speed-"));
  try {
    const found: OtherProgram[] = [];
    const missing: Missing[] = [];
    for (const program of beside) {
      try {
        found.push(program === "stock" ? await findStock(scripts, prepared, folder) : await findLlamaBench(scripts, prepared, isQuick));
      } catch (error) {
        if (!(error instanceof ChildError)) throw error;
        missing.push({ what: program, reason: error.message });
      }
    }
    return await work(found, missing);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const stockSchema = z.object({ folder: z.string(), version: z.string(), binary: z.string(), integrity: z.string() });
const variantSchema = z.object({ variant: z.string().nullable() });

/** @param folder for the prompts' tokens */
async function findStock(scripts: Tools["scripts"], prepared: Prepared, folder: string): Promise<OtherProgram> {
  const { path, gpu, threads } = prepared;
  const script = (name: string) => join(scripts.bench, "speed", name);
  const fetched = await outputOf(process.execPath, [script("stock.mjs"), ...(gpu === null ? [] : [gpu])], { isShown: true });
  const { folder: installed, version, binary, integrity } = stockSchema.parse(lastJson(fetched));
  const turn = async (asked: object) => lastJson(await outputOf(process.execPath, [script("stockTurn.mjs"), JSON.stringify(asked)]));
  // Also whether it can be loaded at all.
  const { variant } = variantSchema.parse(await turn({ folder: installed, threads, gpu, tokensFile: null }));
  const code = await sha256Of(script("stockTurn.mjs"));
  return {
    program: "stock",
    described: { package: `node-llama-cpp ${version}`, binary, integrity, code, ...(variant === null ? {} : { variant }) },
    async measure({ length, kvType }) {
      const tokens = tokensOf(prepared, length);
      const tokensFile = join(folder, `${length}.json`);
      await writeFile(tokensFile, JSON.stringify(tokens));
      const contextLength = roundContext(tokens.length + answerTokens);
      const asked = { folder: installed, model: path, tokensFile, contextLength, threads, kvType, answerTokens, gpu, warmUpTokens };
      return otherTimes.parse(await turn(asked));
    },
  };
}

const benchSchema = z.object({ program: z.string(), source: z.string() });

async function findLlamaBench({ native }: Tools["scripts"], prepared: Prepared, isQuick: boolean): Promise<OtherProgram> {
  const { path, gpu, threads } = prepared;
  const args = [join(native, "llamaBench.mjs"), "--gpu", gpu ?? "false", ...(isQuick ? ["--if-built"] : [])];
  const { program, source } = benchSchema.parse(lastJson(await outputOf(process.execPath, args, { isShown: true })));
  return {
    program: "llama-bench",
    described: { source },
    async measure({ length, kvType }) {
      const promptTokens = tokensOf(prepared, length).length;
      const asked = { model: path, promptTokens, answerTokens, threads, kvType, isOnGpu: gpu !== null };
      const call = async (name: "prefill" | "decode") =>
        benchMilliseconds(await outputOf(program, benchArguments(asked, name)), asked, name);
      return benchTimes(await call("prefill"), await call("decode"), answerTokens);
    },
  };
}

/** A prompt's tokens. */
export function tokensOf({ prompts }: Pick<Prepared, "prompts">, length: number): readonly number[] {
  const prompt = prompts.find((one) => one.length === length);
  if (prompt === undefined) throw new RangeError(`No prompt of ${length} tokens was laid out.`);
  return prompt.tokens;
}
