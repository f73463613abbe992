import type { Program } from "./options.ts";

/** Types of a full cache, as llama.cpp names them. */
export const kvTypes = ["f16", "q8_0", "q4_0"] as const;
export type CacheType = (typeof kvTypes)[number];

/** Whoever is measured: the app's own engine, or another program with a full cache. */
export type Runner = { readonly program: "longsight"; readonly kvType: "f16" } | { readonly program: Program; readonly kvType: CacheType };

/** One process, and what it is to measure. */
export type Turn = { readonly length: number; readonly round: number; readonly runner: Runner };

export const ownEngine: Runner = { program: "longsight", kvType: "f16" };

/** llama-bench reads a prompt twice in its turn, and its kernels for a rounded cache are node-llama-cpp's. */
const typesOf: Readonly<Record<Program, readonly CacheType[]>> = { stock: kvTypes, "llama-bench": ["f16"] };

/** The app's engine, then each of the other programs with its caches. */
export function runnersOf(beside: readonly Program[]): Runner[] {
  return [ownEngine, ...beside.flatMap((program) => typesOf[program].map((kvType): Runner => ({ program, kvType })))];
}

/**
 * Every turn, the short lengths first: what a run that is ended early has measured is whole for them. In each round all runners have their turn, and in each
 * another one begins, so that a machine that grows warm or busy is no one's disadvantage.
 */
export function orderTurns(lengths: readonly number[], rounds: number, runners: readonly Runner[]): Turn[] {
  return lengths.flatMap((length) => inTurns(rounds, runners).map(({ round, each }): Turn => ({ length, round, runner: each })));
}

/** Everybody once in each round, which another one begins. */
export function inTurns<Each>(rounds: number, all: readonly Each[]): { readonly round: number; readonly each: Each }[] {
  return Array.from({ length: rounds }, (_, round) => beginningWith(all, round).map((each) => ({ round, each }))).flat();
}

/** All of them in their order, begun with another one in each round. */
export function beginningWith<Each>(all: readonly Each[], round: number): Each[] {
  const first = round % Math.max(1, all.length);
  return [...all.slice(first), ...all.slice(0, first)];
}
