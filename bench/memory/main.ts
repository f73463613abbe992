import { loadavg } from "node:os";
import { basename, dirname, join } from "node:path";
import { sha256Of } from "../../scripts/files.mjs";
import { measureItems } from "../quality/measureItems.ts";
import { findModel } from "../quality/model.ts";
import { UsageError } from "../quality/options.ts";
import { commandOf, saveResults } from "../quality/results.ts";
import type { Tools } from "../quality/tools.ts";
import { ChildError, lastJson, outputOf } from "../speed/child.ts";
import { inTurns } from "../speed/turns.ts";
import { courseOf, type Sample } from "./course.ts";
import { type Job, type Prepared, preparedSchema } from "./job.ts";
import { type MemoryOptions, parseMemoryOptions } from "./options.ts";
import { answeredSchema, type MeasuredOutcome, type MemoryOutcome, outcomeSchema } from "./outcome.ts";
import { residentOf, sharedNow } from "./resident.ts";
import { rows as allRows, type Row } from "./rows.ts";
import { missingOf, summarise } from "./summary.ts";
import { memoryTable } from "./table.ts";

/** Milliseconds between two looks at a process. */
const everyMs = 50;

/** The bench `memory`. @returns the exit code. @throws UsageError, LongsightError */
export async function main(args: string[], tools: Tools): Promise<number> {
  const options = parseMemoryOptions(args);
  if (process.platform !== "linux")
    throw new UsageError("What is resident is read from /proc, which only Linux has: run this bench there.");
  const model = await findModel(options.model, tools);
  const program = await tools.bundleProgram("memory/program");
  try {
    return await measure(options, tools, model, program);
  } finally {
    await program.remove();
  }
}

type Program = { readonly file: string; readonly code: string };

async function measure(options: MemoryOptions, tools: Tools, model: string, { file: program, code }: Program): Promise<number> {
  const { tokens, rounds, budget, answer, rows, threads } = options;
  const { modelsFolder, modulesFolder } = tools;
  // No PDF is read: that its worker was built is not asked.
  const asked = { model, threads, modelsFolder, modulesFolder, documentWorker: join(dirname(program), "pdfWorker.cjs") };
  const run = (job: Job, onStart?: (pid: number) => void) =>
    outputOf(process.execPath, [program, JSON.stringify(job)], onStart === undefined ? {} : { onStart });
  const prepared = preparedSchema.parse(lastJson(await run({ ...asked, job: "prepare", tokens, answer })));
  const { modelId, ...described } = prepared;
  const about = {
    model: { id: modelId, file: basename(model), sha256: await sha256Of(model) },
    ...described,
    budget,
    answer,
    rounds,
    everyMs,
  };
  const [load = 0] = loadavg();
  const { outcomes, journal } = await measureItems({
    bench: "memory",
    run: { ...about, code: [tools.code, code] },
    items: inTurns(rounds, rows),
    schema: outcomeSchema,
    isOf: (outcome, { round, each }) => outcome.round === round && outcome.row === each.name,
    step: "Memory",
    lineOf,
    async measure({ round, each }, _isFirst, secondsSoFar): Promise<MemoryOutcome> {
      const [busy = 0] = loadavg();
      const came = await takeTurn(each, prepared, (row, onStart) => run({ ...asked, ...row, job: "answer", budget, answer }, onStart));
      return { row: each.name, round, load: busy, ...came, seconds: secondsSoFar() };
    },
  });
  const summary = summarise(outcomes, rows);
  const missing = missingOf(outcomes);
  const medians = `medians of ${rounds} ${rounds === 1 ? "round" : "rounds"}`;
  console.log(
    `${modelId}, a prompt of ${prepared.promptTokens.toLocaleString("en")} tokens, budget ${budget}, ${medians}; the most in each stage → as it ended (load before: ${load.toFixed(1)})`,
  );
  console.log(memoryTable(summary));
  for (const { what, reason } of missing) console.log(`Not measured: ${what}. ${reason}`);
  const chosen = rows.length === allRows.length ? "" : rows.map(({ name }) => name).join(",");
  const own = { tokens, rounds, budget, answer, rows: chosen };
  const command = commandOf("memory", { ...options, budgets: [], modules: [] }, own);
  const results = { command, ...about, load, missing, summary, outcomes };
  console.log(`Raw figures: ${await saveResults(tools, options, `memory-${modelId}-${tokens}`, results)}`);
  await journal.remove();
  return 0;
}

type Asked = Pick<Extract<Job, { job: "answer" }>, "way" | "kvType" | "lines" | "contextLength">;
type Came = Omit<MeasuredOutcome, "row" | "round" | "load" | "seconds"> | { readonly failed: string };

/** An answer in a process of its own, which is looked at from here while it computes. What came of it, or why nothing did: the other rows go on. */
async function takeTurn(
  { way, kvType }: Row,
  { lines, contextLength }: Prepared,
  run: (asked: Asked, onStart: (pid: number) => void) => Promise<string>,
): Promise<Came> {
  const samples: Sample[] = [];
  let timer: NodeJS.Timeout | null = null;
  const onStart = (pid: number) => {
    timer = setInterval(() => {
      try {
        samples.push({ atMs: sharedNow(), bytes: residentOf(pid).now });
      } catch {
        // It has ended, and says itself how.
      }
    }, everyMs);
  };
  try {
    const answered = answeredSchema.parse(lastJson(await run({ way, kvType, lines, contextLength }, onStart)));
    const startMs = answered.stages[0]?.fromMs ?? 0;
    const endMs = answered.stages.at(-1)?.toMs ?? startMs;
    const since = (atMs: number) => Math.round(atMs - startMs);
    const stages = answered.stages.map((stage) => ({ ...stage, fromMs: since(stage.fromMs), toMs: since(stage.toMs) }));
    return { ...answered, stages, course: courseOf(samples, startMs, endMs, everyMs) };
  } catch (error) {
    if (error instanceof ChildError) return { failed: error.message };
    throw error;
  } finally {
    if (timer !== null) clearInterval(timer);
  }
}

function lineOf(outcome: MemoryOutcome): string {
  const { row, round, seconds } = outcome;
  const came =
    "failed" in outcome
      ? `nothing: ${outcome.failed}`
      : `at most ${(Math.max(...outcome.stages.map(({ mostBytes }) => mostBytes)) / 1e6).toFixed(1)} MB`;
  return `${row}, round ${round + 1}: ${came} · ${seconds.toFixed(1)} s`;
}
