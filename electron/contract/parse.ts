import type { z } from "zod";
import { LongsightError } from "./errors.ts";
import { type Message, say } from "./said.ts";

/**
 * The door: `unknown` in, typed out.
 * @throws LongsightError `usage`, naming each field that does not fit.
 */
export function parseAt<Schema extends z.ZodType>(door: Message | string, schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => `${issue.path.join(".") || "value"}: ${issue.message}`).join("; ");
  throw new LongsightError("usage", say("notUnderstood", { door, fields }));
}

/** For a switch that must name every case: a new case is a type error here. */
export function assertNever(value: never): never {
  throw new LongsightError("engine-failed", say("unknownCase"), JSON.stringify(value));
}
