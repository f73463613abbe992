import { parseArgs } from "node:util";
import { oneOf, UsageError } from "../quality/options.ts";

const kinds = ["counts", "quality"] as const;

export type GuardOptions = {
  /** Of the two, those that are to be looked at. */
  readonly kinds: readonly (typeof kinds)[number][];
  /** Whether the counts of this run are to be what later ones are held against. */
  readonly isStored: boolean;
  /** A file for how many checks there were of each; null for none. */
  readonly report: string | null;
};

/** @throws UsageError */
export function parseGuardOptions(args: readonly string[]): GuardOptions {
  const text = { type: "string" } as const;
  try {
    const options = { only: text, report: text, store: { type: "boolean", default: false } } as const;
    const { only, report, store } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values;
    const asked = only ?? (store ? "counts" : undefined);
    const wanted = asked === undefined ? kinds : [oneOf("only", asked, kinds)];
    if (store && !wanted.includes("counts")) {
      throw new UsageError("--store stores counts; what is expected of quality stands in bench/guard/expectations.ts.");
    }
    return { kinds: wanted, isStored: store, report: report ?? null };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\nOptions: --only, --store, --report.`);
  }
}
