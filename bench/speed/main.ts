import { loadavg } from "node:os";
import { basename, join, resolve } from "node:path";
import { isOverAfter, measureItems } from "../quality/measureItems.ts";
import { UsageError } from "../quality/options.ts";
import { commandOf, saveResults } from "../quality/results.ts";
import type { Tools } from "../quality/tools.ts";
import { ChildError, lastJson, outputOf } from "./child.ts";
import { answerTokens, type Job, measuredSchema, type Prepared, preparedSchema } from "./engine/job.ts";
import { parseSpeedOptions, type SpeedOptions } from "./options.ts";
import { coresOfOthers, ticksNow } from "./others.ts";
import { isOfTurn, outcomeSchema, type TurnOutcome } from "./outcome.ts";
import { type Missing, type OtherProgram, tokensOf, withPrograms } from "./programs.ts";
import { missingOf, summarise } from "./summary.ts";
import { speedTables } from "./tables.ts";
import { orderTurns, runnersOf, type Turn } from "./turns.ts";

/** Above this, other programs take part of the machine, and times say so. */
const calm = 1;

/** The bench `speed`. @returns the exit code. @throws UsageError */
export async function main(args: string[], tools: Tools): Promise<number> {
  const options = withPaths(parseSpeedOptions(args), tools);
  const [load = 0] = loadavg();
  if (load > calm) console.error(`The machine is busy (load ${load.toFixed(1)}): times will be longer than they are on an idle one.`);
  const prepared = await prepare(tools, options);
  // It has said itself what is wrong.
  if (prepared === null) return 1;
  const reference = referenceBudget(options, prepared);
  return withPrograms(options, tools, prepared, (found, missing) => measure({ options, tools, prepared, reference, load, found, missing }));
}

/** @returns null where the engine could not do it */
async function prepare(tools: Tools, options: SpeedOptions): Promise<Prepared | null> {
  try {
    return preparedSchema.parse(await runEngine(tools, options, { job: "prepare", lengths: [...options.lengths] }));
  } catch (error) {
    if (error instanceof ChildError) return null;
    throw error;
  }
}

type Run = {
  readonly options: SpeedOptions;
  readonly tools: Tools;
  readonly prepared: Prepared;
  readonly reference: number;
  readonly load: number;
  readonly found: readonly OtherProgram[];
  readonly missing: readonly Missing[];
};

async function measure({ options, tools, prepared, reference, load, found, missing }: Run): Promise<number> {
  const { lengths, rounds, budgets, policies, minutes } = options;
  const runners = runnersOf(found.map(({ program }) => program));
  const beside = found.map(({ program, described }) => ({ program, ...described }));
  const { described, draft, gpu, variant } = prepared;
  const run = { lengths, rounds, budgets, reference, policies, draft, answerTokens, gpu, variant, beside, ...described };
  const turns = orderTurns(lengths, rounds, runners);
  const { outcomes, journal } = await measureItems({
    bench: "speed",
    run: { ...run, code: [tools.code, prepared.code] },
    items: turns,
    schema: outcomeSchema,
    isOf: isOfTurn,
    step: "Speed",
    lineOf,
    isOver: isOverAfter(minutes),
    async measure(turn, _isFirst, secondsSoFar) {
      const [busy = 0] = loadavg();
      const before = ticksNow();
      const result = await takeTurn(turn, { options, tools, prepared, reference, found });
      const after = ticksNow();
      const others = before === null || after === null ? null : coresOfOthers(before, after);
      const { length, round } = turn;
      const promptTokens = tokensOf(prepared, length).length;
      return outcomeSchema.parse({ length, round, promptTokens, load: busy, others, ...turn.runner, ...result, seconds: secondsSoFar() });
    },
  });
  const summary = summarise(outcomes, reference);
  const without = missingOf(outcomes, missing);
  const isWhole = outcomes.length === turns.length;
  const medians = `medians of ${rounds} ${rounds === 1 ? "round" : "rounds"}${isWhole ? "" : `, ended early: ${outcomes.length} of ${turns.length} turns`}`;
  console.log(`${described.model.id}, ${prepared.threads} threads, ${medians} (load before: ${load.toFixed(1)})`);
  console.log(speedTables(summary, reference));
  for (const { what, reason } of without) console.log(`Not measured: ${what}. ${reason}`);
  const command = commandOf("speed", options, ownOptions(options));
  const extent = { items: turns.length, measured: outcomes.length, minutes };
  const results = { command: options.isQuick ? `${command} --quick` : command, ...run, load, extent, missing: without, summary, outcomes };
  const named = lengths.join("-");
  console.log(`Raw figures: ${await saveResults(tools, options, `speed-${described.model.id}-${named}`, results)}`);
  // What was ended by its minutes may be gone on with.
  if (isWhole) await journal.remove();
  else console.log("The same command goes on from here.");
  return 0;
}

/** What came of a turn, or why nothing did: the other turns go on. */
async function takeTurn(
  { length, round, runner }: Turn,
  { options, tools, prepared, reference, found }: Pick<Run, "options" | "tools" | "prepared" | "reference" | "found">,
): Promise<{ times: unknown } | { failed: string }> {
  try {
    if (runner.program === "longsight") {
      const { code, times } = measuredSchema.parse(await runEngine(tools, options, { job: "turn", length, round, reference }));
      if (code !== prepared.code) throw new UsageError("The code was changed while it was measured. The same command begins anew.");
      return { times };
    }
    const other = found.find(({ program }) => program === runner.program);
    if (other === undefined) throw new RangeError(`${runner.program} has no turn.`);
    return { times: await other.measure({ length, kvType: runner.kvType }) };
  } catch (error) {
    if (error instanceof ChildError || error instanceof RangeError) return { failed: error.message };
    throw error;
  }
}

type JobOfItsOwn<Each extends Job = Job> = Each extends Job
  ? Omit<Each, "model" | "modules" | "budgets" | "threads" | "policies" | "draft">
  : never;

async function runEngine({ scripts }: Tools, options: SpeedOptions, own: JobOfItsOwn): Promise<unknown> {
  const { model, modules, budgets, threads, policies, draft } = options;
  const job = JSON.stringify({ model, modules, budgets, threads, policies, draft, ...own });
  return lastJson(await outputOf(process.execPath, [join(scripts.bench, "speed", "engine.mjs"), job], { isShown: own.job === "prepare" }));
}

/** The largest budget that leaves something to evict of every prompt. @throws UsageError where none does */
function referenceBudget({ budgets }: SpeedOptions, { prompts }: Prepared): number {
  const shortest = Math.min(...prompts.map(({ tokens }) => tokens.length));
  const reference = budgets.filter((budget) => budget < shortest).at(-1);
  if (reference !== undefined) return reference;
  throw new UsageError(`--budgets needs one that is smaller than the shortest prompt, which has ${shortest.toLocaleString("en")} tokens.`);
}

/** Files that were typed, from wherever the processes are started. */
function withPaths(options: SpeedOptions, { callerFolder }: Tools): SpeedOptions {
  const whole = (text: string) => (text.toLowerCase().endsWith(".gguf") ? resolve(callerFolder, text) : text);
  const { model, modules, draft } = options;
  return { ...options, model: whole(model), modules: modules.map(whole), draft: draft === null ? null : whole(draft) };
}

function ownOptions({ lengths, rounds, policies, draft, beside, minutes }: SpeedOptions): Readonly<Record<string, string | number>> {
  return {
    lengths: lengths.join(","),
    rounds,
    policies: policies.join(","),
    ...(draft === null ? {} : { draft: basename(draft) }),
    beside: beside.length === 0 ? "none" : beside.join(","),
    ...(minutes === null ? {} : { minutes }),
  };
}

function lineOf(outcome: TurnOutcome): string {
  const { program, kvType, promptTokens, round, seconds } = outcome;
  const came = "failed" in outcome ? `nothing: ${outcome.failed}` : `read in ${(outcome.times.prefillMs / 1000).toFixed(2)} s`;
  return `${promptTokens.toLocaleString("en")} tokens, round ${round + 1}, ${program} ${kvType}: ${came} · ${seconds.toFixed(1)} s`;
}
