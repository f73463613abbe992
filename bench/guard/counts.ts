import { z } from "zod";
import type { Check } from "./check.ts";
import { type Part, parts } from "./parts.ts";

const countsSchema = z.record(z.string(), z.number().int().positive());
/** Instructions by the name of what was counted. */
export type Counts = z.infer<typeof countsSchema>;

const nativeSchema = z.object({
  /** As it wrote itself into the library that computes. */
  compiler: z.string(),
  /** Version of the C library, whose functions are counted too. */
  libc: z.string(),
  valgrind: z.string(),
  /** What CMake was given for that library. */
  flags: z.string(),
  counts: countsSchema,
});
/** Counts of the native part, and what they were taken of. */
export type NativeCounts = z.infer<typeof nativeSchema>;

const selectionSchema = z.object({ node: z.string(), counts: countsSchema });
/** Counts of the selection, which is JavaScript, and whose interpreter they are of. */
export type SelectionCounts = z.infer<typeof selectionSchema>;

/** counts.json: the first of each is what the guard goes by where the compiler, or the interpreter, is another one. */
export const storedSchema = z.object({ native: z.array(nativeSchema).min(1), selection: z.array(selectionSchema).min(1) });
export type Stored = z.infer<typeof storedSchema>;

/** With the same compiler and C library, or interpreter. Where a program lies, and its environment, move a count by up to 0.7 %. */
export const closeTolerance = 0.03;
/**
 * With another one: of the relation to the part beside it, or of the selection's count. Between gcc 12 and clang 14 relations differ by up to
 * 16 %, between Node 20, 22 and 26 the selection by 11 %.
 */
export const looseTolerance = 0.25;

/** Below this share counts are the same to people. */
const noticed = 5e-5;
const howToStore = "npm run bench -- guard --store";

/** Holds counts of the native part against the stored ones: each by itself, or, of another compiler, by the part beside it. */
export function judgeNative(stored: Stored, counted: NativeCounts): readonly Check[] {
  const same = stored.native.find(({ compiler, libc }) => compiler === counted.compiler && libc === counted.libc);
  if (same !== undefined) return parts.map((part) => judgeCount(part, same.counts[part.name], counted.counts[part.name], closeTolerance));
  const [first] = stored.native;
  const by = first?.counts ?? {};
  return parts.flatMap((part) => (part.beside === null ? [] : [judgeRelation(part, part.beside, by, counted.counts)]));
}

/** What to say before the checks where they are not of the very counts that are stored. */
export function notesOn(stored: Stored, native: NativeCounts, selection: SelectionCounts): string[] {
  const notes: string[] = [];
  if (!stored.native.some(({ compiler, libc }) => compiler === native.compiler && libc === native.libc)) {
    notes.push(
      `Nothing is stored of this compiler and C library (${native.compiler}, ${native.libc}): each part is held against what stands beside it, and only one that grew by more than ${percent(looseTolerance)} is seen.`,
    );
  }
  if (!stored.selection.some(({ node }) => node === selection.node)) {
    notes.push(`Nothing is stored of Node ${selection.node}: only a selection that grew by more than ${percent(looseTolerance)} is seen.`);
  }
  return notes;
}

/** Holds the count of the selection against the stored one. */
export function judgeSelection(stored: Stored, counted: SelectionCounts): readonly Check[] {
  const part = { what: "selecting what is kept" };
  const same = stored.selection.find(({ node }) => node === counted.node);
  const by = same ?? stored.selection[0];
  const [before, now] = [by?.counts["selection"], counted.counts["selection"]];
  return [judgeCount(part, before, now, same === undefined ? looseTolerance : closeTolerance, same !== undefined)];
}

/** The stored counts with new ones in the place of those of the same compiler or interpreter, or behind the others. */
export function withCounts(stored: Stored, native: NativeCounts, selection: SelectionCounts): Stored {
  return {
    native: placed(stored.native, native, ({ compiler, libc }) => `${compiler} ${libc}`),
    selection: placed(stored.selection, selection, ({ node }) => node),
  };
}

function placed<Entry>(entries: readonly Entry[], entry: Entry, keyOf: (entry: Entry) => string): Entry[] {
  const place = entries.findIndex((other) => keyOf(other) === keyOf(entry));
  return place < 0 ? [...entries, entry] : entries.map((other, index) => (index === place ? entry : other));
}

/** @param seesLess whether a count that is far smaller fails as well: it is to be stored, or the next loss would not be seen */
function judgeCount(
  { what }: Pick<Part, "what">,
  before: number | undefined,
  now: number | undefined,
  tolerance: number,
  seesLess = true,
): Check {
  if (now === undefined) return { state: "failed", text: `${what}: it was not counted.` };
  const counted = `${what}: ${now.toLocaleString("en")} instructions`;
  if (before === undefined) return { state: "failed", text: `${counted}, and none are stored. Store them: ${howToStore}` };
  return { ...judgeChange(now / before - 1, tolerance, seesLess, counted, `the ${before.toLocaleString("en")} that are stored`) };
}

function judgeRelation({ name, what }: Part, beside: string, before: Counts, now: Counts): Check {
  const relation = (counts: Counts) => (counts[name] ?? Number.NaN) / (counts[beside] ?? Number.NaN);
  const [old, current] = [relation(before), relation(now)];
  const other = parts.find((part) => part.name === beside)?.what ?? beside;
  if (Number.isNaN(current)) return { state: "failed", text: `${what}: it was not counted.` };
  if (Number.isNaN(old)) return { state: "failed", text: `${what}: no count is stored. Store it: ${howToStore}` };
  const counted = `${what}: ${current.toFixed(3)} of the instructions of ${other}`;
  return judgeChange(current / old - 1, looseTolerance, false, counted, `the ${old.toFixed(3)} that are stored`);
}

function judgeChange(change: number, tolerance: number, seesLess: boolean, counted: string, stored: string): Check {
  if (Math.abs(change) < noticed) return { state: "passed", text: `${counted}, as stored` };
  const difference = `${percent(Math.abs(change))} ${change > 0 ? "more" : "fewer"} than ${stored}`;
  if (change > tolerance) {
    return { state: "failed", text: `${counted}, ${difference}. Find what costs them; if they are meant, store them: ${howToStore}` };
  }
  if (change < -tolerance && seesLess) {
    return { state: "failed", text: `${counted}, ${difference}. Store them, so that they are not lost again unseen: ${howToStore}` };
  }
  return { state: "passed", text: `${counted}, ${difference}` };
}

/** Shares as people read them; none is rounded away. */
function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.01 ? 2 : share < 0.1 ? 1 : 0)} %`;
}
