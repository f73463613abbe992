import { roundContext } from "../../electron/contract/fit.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { isOverAfter, measureItems } from "../quality/measureItems.ts";
import { type BenchModel, withModel } from "../quality/model.ts";
import { UsageError } from "../quality/options.ts";
import { commandOf, saveResults } from "../quality/results.ts";
import { lookaheadRule, oracleRule, policyRule, type Rule, snapRule, unpooledSnapRule } from "../quality/rules.ts";
import type { Tools } from "../quality/tools.ts";
import { inTurns } from "./draw.ts";
import { leastCount } from "./looking.ts";
import { fitItem, type MeasureSettings, measureItem, shareName, type TaskItem } from "./measure.ts";
import { decidingOptions, parseQualityOptions, type QualityOptions } from "./options.ts";
import { summariseAgreement, summariseTemperature } from "./otherSummaries.ts";
import { outcomeSchema, type QualityOutcome } from "./outcome.ts";
import { hashSets } from "./sources.ts";
import { summariseScored } from "./summary.ts";
import { agreementTable, scoredTables, temperatureTable } from "./tables.ts";
import type { Task } from "./task.ts";
import { chooseTasks } from "./tasks.ts";

/** Items that a task is made with at least: what chance would score is told by the gold answers of others. */
const leastItems = 11;

/** The bench `quality`. @returns the exit code. @throws UsageError, LongsightError */
export async function main(args: string[], tools: Tools): Promise<number> {
  const options = parseQualityOptions(args);
  const entries = chooseTasks(options.tasks);
  if (entries.length === 0) throw new UsageError("--tasks takes names of tasks or groups, for example ruler,xquad_en.");
  const wanted = { dataFolder: tools.dataFolder, tokens: options.tokens, count: Math.max(options.items, leastItems) };
  const tasks: Task[] = [];
  for (const entry of entries) tasks.push(await entry.read(wanted));
  return withModel(options, tools, { contextLength: roundContext(options.tokens) }, (bench) => measure(options, tools, bench, tasks));
}

async function measure(options: QualityOptions, tools: Tools, bench: BenchModel, tasks: readonly Task[]): Promise<number> {
  const { tokens, items: count, policies, minutes, answerTokens } = options;
  const { loaded, described } = bench;
  const rules = rulesOf(bench, options);
  const settings: MeasureSettings = { rules, ...decidingOptions(options) };
  const items = inTurns(await Promise.all(tasks.map((task) => chooseItems(loaded, task, count, settings))));
  const names = tasks.map(({ name }) => name);
  const empty = names.filter((name) => !items.some(({ task }) => task.name === name));
  const deciding = { ...decidingOptions(options), ...described, sets: await hashSets(tools.dataFolder) };
  // Not removed in the end: other tasks, and more items, go on with what is there.
  const { outcomes } = await measureItems<TaskItem, QualityOutcome>({
    bench: "quality",
    run: { ...deciding, code: tools.code },
    items,
    schema: outcomeSchema,
    isOf: (outcome, { task, item }) => outcome.task === task.name && outcome.id === item.id,
    step: `Quality, ${tokens.toLocaleString("en")} tokens`,
    lineOf,
    isOver: isOverAfter(minutes),
    measure: async (asked, _isFirst, secondsSoFar) => ({ ...(await measureItem(loaded, asked, settings)), seconds: secondsSoFar() }),
  });
  const summary = summarise(outcomes, options, tasks, rules);
  const isWhole = outcomes.length === items.length;
  const measured = `${outcomes.length} of ${items.length} items of ${tasks.length} tasks`;
  console.log(
    `${described.model.id}, prompts and answers of at most ${tokens.toLocaleString("en")} tokens: ${measured}${isWhole ? "" : ", ended early"}`,
  );
  if (summary.scored.tasks.length > 0) console.log(`\n${scoredTables(summary.scored)}`);
  if (summary.agreement.length > 0) console.log(`\n${agreementTable(summary.agreement)}`);
  if (summary.temperature.length > 0) console.log(`\n${temperatureTable(summary.temperature)}`);
  if (empty.length > 0) console.log(`\nNo item of ${empty.join(", ")} has room. Choose more --tokens.`);
  const command = commandOf("quality", options, {
    tasks: options.tasks.join(","),
    items: count,
    tokens,
    policies: policies.join(","),
    ...(minutes === null ? {} : { minutes }),
  });
  const results = { command: answerTokens === null ? command : `${command} --quick`, tasks: names, count, ...deciding };
  const extent = { items: items.length, measured: outcomes.length, minutes };
  const file = await saveResults(tools, options, `quality-${described.model.id}-${tokens}`, { ...results, extent, summary, outcomes });
  console.log(`\nRaw figures: ${file}`);
  if (!isWhole) console.log("The same command goes on from here.");
  return 0;
}

/** The modules, then the policies that need none. */
function rulesOf({ loaded, modules }: BenchModel, { policies }: QualityOptions): Rule[] {
  const own = policies.map((policy) => {
    if (policy === "snapkv") return snapRule;
    if (policy === "snapkv-unpooled") return unpooledSnapRule;
    return policy === "oracle" ? oracleRule : policyRule(loaded, policy);
  });
  return [...modules.map(lookaheadRule), ...own];
}

/**
 * The first items of a task. Of those that are never cut, the first ones that there is room for; of those that are held against the full
 * cache's answer, the first ones that the smallest budget evicts from; and none that are too short for any recall.
 */
async function chooseItems(loaded: Loaded, task: Task, count: number, settings: MeasureSettings): Promise<TaskItem[]> {
  const chosen: TaskItem[] = [];
  for (const [index, item] of task.items.entries()) {
    if (chosen.length >= count) break;
    const asked = { task, item, index };
    if (item.source.kind === "whole" && !(await isWorthwhile(loaded, asked, settings))) continue;
    chosen.push(asked);
  }
  return chosen;
}

async function isWorthwhile(loaded: Loaded, asked: TaskItem, settings: MeasureSettings): Promise<boolean> {
  const fitted = await fitItem(loaded, asked, settings);
  if (fitted === null) return false;
  const least = { agreement: Math.min(...settings.budgets), temperature: leastCount, ruler: 0, reading: 0, longproc: 0 };
  return fitted.prompt.tokens.length > least[asked.task.group];
}

function summarise(outcomes: readonly QualityOutcome[], { budgets }: QualityOptions, tasks: readonly Task[], rules: readonly Rule[]) {
  const policies = rules.map(({ name }) => name);
  const shares = tasks.flatMap((task) => ("keptShare" in task && task.keptShare !== null ? [shareName(task.keptShare)] : []));
  const numbers = budgets.map(String);
  const names = tasks.map(({ name }) => name);
  const reading = tasks.flatMap(({ name, group }) => (group === "reading" ? [name] : []));
  return {
    scored: summariseScored(outcomes, { tasks: names, reading, policies, budgets: [...numbers, ...shares] }),
    agreement: summariseAgreement(outcomes, names, policies, numbers),
    temperature: summariseTemperature(outcomes, names),
  };
}

function lineOf(outcome: QualityOutcome): string {
  const about = `${outcome.task} ${outcome.id} · ${outcome.seconds.toFixed(1)} s`;
  if (outcome.kind === "unfit") return `${about} · no room for its question`;
  const read = `${about} · ${outcome.promptTokens} tokens`;
  if (outcome.kind === "agreement") return `${read} · answer of ${outcome.full.tokens} tokens`;
  if (outcome.kind === "temperature") return `${read} · answer of ${outcome.answerTokens} tokens`;
  const kept = outcome.kept.map(({ policy, budget, score }) => `${policy} ${budget} ${score.toFixed(2)}`);
  return `${read} · full ${outcome.full.score.toFixed(2)}${kept.length === 0 ? "" : ` · ${kept.join(", ")}`}`;
}
