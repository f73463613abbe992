import type { KeptTokens } from "./scores.ts";

/** In how many layer-heads each token is kept: 0 … layers × heads, which are 65,535 at most. */
export function keptCounts({ tokens, indices }: KeptTokens): Uint16Array {
  const counts = new Uint16Array(tokens);
  for (const token of indices) counts[token] = (counts[token] ?? 0) + 1;
  return counts;
}
