import { z } from "zod";

/** Why a file of markup is not read: it is broken, too much, encrypted by its shop, or we failed. */
export const markupFailureSchema = z.enum(["damaged", "too-large", "protected", "internal"]);
export type MarkupFailureReason = z.infer<typeof markupFailureSchema>;

/** What is thrown where a file cannot be read; anything else that is thrown is a fault of ours. */
export class MarkupFailure extends Error {
  readonly reason: MarkupFailureReason;

  constructor(reason: MarkupFailureReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
