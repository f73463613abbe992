import { z } from "zod";
import { LongsightError, toProblem } from "../contract/errors.ts";
import { parseAt } from "../contract/parse.ts";
import { say } from "../contract/said.ts";
import { type ShellMethod, type ShellOutcome, type ShellReplyOf, shellContract } from "../contract/shell.ts";

type ShellRequests = { readonly [Method in ShellMethod]: z.output<(typeof shellContract)[Method]["request"]> };

/** What answers each of the window's requests; a handler gets its request parsed. */
export type ShellHandlers = {
  readonly [Method in ShellMethod]: (request: ShellRequests[Method]) => ShellReplyOf<Method> | Promise<ShellReplyOf<Method>>;
};

/** The contract's schemas, typed so that schema and handler of one method are seen to belong together. */
const requestSchemas: { readonly [Method in ShellMethod]: { readonly request: z.ZodType<ShellRequests[Method]> } } = shellContract;

const shellMessageSchema = z.object({ method: z.string(), payload: z.unknown() });

function isShellMethod(name: string): name is ShellMethod {
  return Object.hasOwn(shellContract, name);
}

function handle<Method extends ShellMethod>(handlers: ShellHandlers, method: Method, payload: unknown): unknown {
  const schema: z.ZodType<ShellRequests[Method]> = requestSchemas[method].request;
  return handlers[method](parseAt(say("requestOfDoor", { method }), schema, payload));
}

/** Answers one message of the window. Never rejects: an error is an outcome. */
export async function answerShell(handlers: ShellHandlers, message: unknown): Promise<ShellOutcome> {
  try {
    const { method, payload } = parseAt(say("messageDoor"), shellMessageSchema, message);
    if (!isShellMethod(method)) throw new LongsightError("usage", say("noSuchRequest", { method }));
    return { ok: true, value: await handle(handlers, method, payload) };
  } catch (error) {
    return { ok: false, problem: toProblem(error) };
  }
}
