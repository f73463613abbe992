import type { z } from "zod";
import { LongsightError } from "../../electron/contract/errors.ts";
import { parseAt } from "../../electron/contract/parse.ts";
import { say } from "../../electron/contract/said.ts";
import {
  type LongsightBridge,
  type ShellEvent,
  type ShellMethod,
  type ShellReplyOf,
  type ShellRequestOf,
  shellContract,
  shellEventSchema,
  shellOutcomeSchema,
} from "../../electron/contract/shell.ts";

declare global {
  interface Window {
    readonly longsight: LongsightBridge;
  }
}

/**
 * Asks main.
 * @throws LongsightError with main's own problem.
 */
export type CallShell = <Method extends ShellMethod>(method: Method, payload: ShellRequestOf<Method>) => Promise<ShellReplyOf<Method>>;

/** The typed way to main through what preload exposes. */
export function createShellCaller(bridge: LongsightBridge): CallShell {
  return async (method, payload) => {
    const outcome = parseAt(say("appReplyDoor"), shellOutcomeSchema, await bridge.shell(method, payload));
    if (!outcome.ok) throw new LongsightError(outcome.problem.code, outcome.problem, outcome.problem.detail);
    return replyOf(method, outcome.value);
  };
}

/**
 * Subscribes to main's events; one that is not understood is left out.
 * @returns a function that ends the subscription.
 */
export function onShellEvent(bridge: LongsightBridge, listener: (event: ShellEvent) => void): () => void {
  return bridge.onShellEvent((event) => {
    const parsed = shellEventSchema.safeParse(event);
    if (parsed.success) listener(parsed.data);
  });
}

/** The contract with the type of each reply spelled out by its method, so that a reply keeps it. */
const replies: { readonly [Method in ShellMethod]: { readonly reply: z.ZodType<ShellReplyOf<Method>> } } = shellContract;

function replyOf<Method extends ShellMethod>(method: Method, value: unknown): ShellReplyOf<Method> {
  return parseAt(say("appReplyDoor"), replies[method].reply, value);
}
