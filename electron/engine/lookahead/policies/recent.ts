/**
 * Protected tokens, and the prompt's last ones with them, the latest first, as far as the budget has room. Ascending, each once.
 * @param recent how many of the prompt's last tokens are wanted, those that are protected already counted
 */
export function withRecent(protectedTokens: Uint32Array, tokens: number, recent: number, budget: number): Uint32Array {
  const all = new Set(protectedTokens);
  for (let token = tokens - 1; token >= Math.max(0, tokens - recent) && all.size < budget; token--) all.add(token);
  return Uint32Array.from(all).sort();
}
