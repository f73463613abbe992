import { basename } from "node:path";
import { roundContext } from "../../../electron/contract/fit.ts";
import { loadRuntime } from "../../../electron/engine/llama/runtime.ts";
import { sha256Of } from "../../../scripts/files.mjs";
import { draftOf } from "../../policies/draftOf.ts";
import { type BenchModel, withModel } from "../../quality/model.ts";
import { type CommonOptions, UsageError } from "../../quality/options.ts";
import type { Tools } from "../../quality/tools.ts";
import { type Job, jobSchema, type Measured, type Prepared, type TurnJob } from "./job.ts";
import { layOut } from "./layOut.ts";
import { measureTurn } from "./measureTurn.ts";

/** Tokens that may come behind a prompt: the answer, a draft, or a module's rows. */
const roomBehind = 256;
/** Counting tokens takes no cache to speak of. */
const smallContext = 512;

/**
 * A process of the bench `speed`: does the one job that its argument says, and writes what came of it to standard output.
 * @returns the exit code. @throws UsageError, LongsightError
 */
export async function main([text = ""]: string[], tools: Tools): Promise<number> {
  const job = jobSchema.parse(JSON.parse(text));
  const common: CommonOptions = { ...job, out: null };
  const contextLength = roundContext(job.job === "turn" ? job.length + roomBehind : smallContext);
  const result = await withModel(
    common,
    tools,
    { contextLength },
    async (model): Promise<Prepared | Measured> => (job.job === "turn" ? measureJob(job, tools, model) : prepare(job, tools, model)),
  );
  console.log(JSON.stringify(result));
  return 0;
}

async function prepare(job: Extract<Job, { job: "prepare" }>, tools: Tools, { loaded, described }: BenchModel): Promise<Prepared> {
  const { gpu, variant } = await loadRuntime();
  const draft = await draftOf(job.draft, tools, loaded.model.header);
  const prompts: Prepared["prompts"] = [];
  for (const length of job.lengths) prompts.push({ length, tokens: [...(await layOut(loaded, length)).prompt.tokens] });
  return {
    code: tools.code,
    path: loaded.model.header.path,
    threads: described.threads,
    gpu,
    variant,
    draft: draft === null ? null : { file: basename(draft.path), sha256: await sha256Of(draft.path) },
    described: { ...described },
    prompts,
  };
}

async function measureJob(job: TurnJob, tools: Tools, bench: BenchModel): Promise<Measured> {
  const asked = await layOut(bench.loaded, job.length);
  const promptTokens = asked.prompt.tokens.length;
  if (promptTokens <= job.reference)
    throw new UsageError(`A prompt of ${promptTokens} tokens has nothing to evict at a budget of ${job.reference}.`);
  const draftModel = await draftOf(job.draft, tools, bench.loaded.model.header);
  return { code: tools.code, promptTokens, times: await measureTurn(bench, asked, { ...job, draftModel }) };
}
