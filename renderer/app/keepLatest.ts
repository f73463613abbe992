/**
 * Keeps what was asked for last, so that it need not be asked for again; a failed try is not kept.
 * @param limit answers that are kept
 */
export function keepLatest<Answer>(limit: number): (key: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const kept = new Map<string, Promise<Answer>>();
  return (key, ask) => {
    const known = kept.get(key);
    kept.delete(key);
    const answer = known ?? ask();
    kept.set(key, answer);
    if (known === undefined) answer.catch(() => kept.delete(key));
    for (const oldest of kept.keys()) {
      if (kept.size <= limit) break;
      kept.delete(oldest);
    }
    return answer;
  };
}
