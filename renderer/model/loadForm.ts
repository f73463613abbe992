import type { Budget } from "../../electron/contract/conversation.ts";
import type { KvType, ModelReport } from "../../electron/contract/model.ts";
import type { Settings } from "../../electron/contract/shell.ts";
import { leastBudget } from "../budget/budget.ts";

/** What the engine takes; the window says so before it is asked. */
const limits = {
  context: { least: 256, most: 4_194_304 },
  threads: { least: 1, most: 512 },
  gpuLayers: { least: 0, most: 512 },
} as const;

/** How a model is to be loaded, as it is typed: digits, or nothing for what is chosen automatically (of the budget: everything). */
export type TypedLoad = {
  readonly context: string;
  readonly kvType: KvType;
  readonly budget: string;
  readonly threads: string;
  readonly gpuLayers: string;
};

/** What can be wrong with what is typed. */
type LoadFault = "context" | "contextTooLong" | "budget" | "threads" | "gpuLayers";

/** The same, read. A fault's field has its last possible meaning: automatic. */
export type ReadLoad = {
  readonly contextLength: number | null;
  readonly kvType: KvType;
  readonly budget: Budget;
  readonly threads: number | null;
  readonly gpuLayers: number | null;
  readonly faults: ReadonlySet<LoadFault>;
};

const typed = (value: number | null) => (value === null ? "" : String(value));

export function typedLoad(settings: Settings, kvType: KvType): TypedLoad {
  const { contextLength, budget, threads, gpuLayers } = settings;
  return {
    context: typed(contextLength),
    kvType,
    budget: budget === "full" ? "" : String(budget),
    threads: typed(threads),
    gpuLayers: typed(gpuLayers),
  };
}

/** @param selected the model that is chosen; null for none */
export function readLoad(form: TypedLoad, selected: ModelReport | null, { policy }: Pick<Settings, "policy">): ReadLoad {
  const faults = new Set<LoadFault>();
  const read = (name: keyof typeof limits): number | null => {
    if (form[name] === "") return null;
    const value = Number(form[name]);
    if (value >= limits[name].least && value <= limits[name].most) return value;
    faults.add(name);
    return null;
  };
  const contextLength = read("context");
  if (selected !== null && contextLength !== null && contextLength > selected.trainedContextLength) faults.add("contextTooLong");
  const budget = form.budget === "" ? "full" : Number(form.budget);
  const usable = budget === "full" || (budget >= leastBudget(policy) && budget <= limits.context.most);
  if (!usable) faults.add("budget");
  return {
    contextLength,
    kvType: form.kvType,
    budget: usable ? budget : "full",
    threads: read("threads"),
    gpuLayers: read("gpuLayers"),
    faults,
  };
}
