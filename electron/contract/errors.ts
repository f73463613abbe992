import { z } from "zod";
import type { Said } from "./messages/fill.ts";
import { type Message, saidSchema, say } from "./said.ts";

/**
 * Every way something can go wrong, by the part that has to deal with it. `message` is for people (what happened, to
 * which file, what to do); `detail` is for a bug report.
 */
export const errorCodes = [
  // the request itself
  "usage",
  "not-supported",
  // documents
  "document-missing",
  "document-unreadable",
  "document-empty",
  "document-damaged",
  "document-kind",
  "document-password-needed",
  "document-password-wrong",
  "document-no-text",
  "document-too-slow",
  "document-too-large",
  "document-pages",
  "document-unknown",
  // models
  "model-missing",
  "model-invalid",
  "model-unsupported",
  "model-memory",
  "model-download",
  "model-none",
  // lookahead modules: the app goes on without one
  "module-invalid",
  "module-mismatch",
  // a prompt that is longer than the context
  "does-not-fit",
  // the engine
  "engine-native",
  "engine-died",
  "engine-failed",
  "scores-missing",
  "conversation-unknown",
  "storage",
  "cancelled",
] as const;

export const errorCodeSchema = z.enum(errorCodes);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

export const problemSchema = z.object({
  code: errorCodeSchema,
  message: z.string().min(1),
  /** The message by name, for those who show it in another language. */
  said: saidSchema,
  detail: z.string().optional(),
});
/** An error as data, the only form in which one crosses a process. */
export type Problem = z.infer<typeof problemSchema>;

/** An error with a code and a sentence for people. Thrown inside a process, turned into a {@link Problem} at its door. */
export class LongsightError extends Error {
  override readonly name = "LongsightError";
  readonly code: ErrorCode;
  readonly said: Said | undefined;
  readonly detail: string | undefined;

  /** @param message of the tables ({@link say}), or a sentence in English alone, which no window will show in another language */
  constructor(code: ErrorCode, message: Message | string, detail?: string) {
    super(typeof message === "string" ? message : message.message);
    this.code = code;
    this.said = typeof message === "string" ? undefined : message.said;
    this.detail = detail;
  }
}

/** Any thrown value as a {@link Problem}; what is not ours becomes `engine-failed` with its text as the detail. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof LongsightError) {
    const { code, message, said, detail } = thrown;
    return { code, message, ...(said === undefined ? {} : { said }), ...(detail === undefined ? {} : { detail }) };
  }
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return {
    code: "engine-failed",
    ...say("unexpected"),
    detail,
  };
}

/** Exit code of the command line for an error (issue 3): 2 usage, 3 document, 4 model, 5 does not fit, 6 engine, 130 cancelled. */
export function exitCodeOf(code: ErrorCode): number {
  if (code === "cancelled") return 130;
  if (code === "does-not-fit") return 5;
  if (code === "usage" || code === "not-supported") return 2;
  if (code.startsWith("document-")) return 3;
  if (code.startsWith("model-") || code.startsWith("module-")) return 4;
  return 6;
}
