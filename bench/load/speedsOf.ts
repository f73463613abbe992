import { z } from "zod";

/** What the command line tells of an answer, as far as this bench asks. */
const doneSchema = z.object({
  cachedTokens: z.number().int(),
  prefillTokensPerSecond: z.number().positive(),
  decodeTokensPerSecond: z.number().positive(),
});

/**
 * Tokens a second of reading and of decoding.
 * @param done the event of that name. @throws RangeError where a part of the prompt was not read but there: the rest is no measure of reading
 */
export function speedsOf(done: unknown) {
  const { cachedTokens, ...speeds } = doneSchema.parse(done);
  if (cachedTokens > 0) throw new RangeError(`${cachedTokens} tokens of the prompt came from a snapshot: reading was not measured.`);
  return speeds;
}
