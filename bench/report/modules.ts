import { z } from "zod";
import { whole } from "./format.ts";
import type { Context } from "./kind.ts";

/** Lookahead modules as raw files describe them. */
export const modulesSchema = z.array(
  z.object({ name: z.string(), sha256: z.string().min(12), training: z.object({ steps: z.number().int().nonnegative() }) }),
);
type Module = z.infer<typeof modulesSchema>[number];

/** Those that come with the app. */
export const shippedOf = (modules: readonly Module[], { shipped }: Context): readonly Module[] =>
  modules.filter(({ sha256 }) => shipped.has(sha256));

/** A sentence that says which files names of modules stand for. None where there are none. */
export function modulesNote(modules: readonly Module[], { shipped }: Context): string[] {
  if (modules.length === 0) return [];
  const described = modules.map(({ name, sha256, training }) => {
    const learned = training.steps === 0 ? "learned nothing" : `${whole(training.steps)} steps`;
    return `${name}: ${learned}, SHA-256 ${sha256.slice(0, 12)}${shipped.has(sha256) ? ", the one that comes with the app" : ""}`;
  });
  return [`Lookahead modules: ${described.join("; ")}.`];
}
