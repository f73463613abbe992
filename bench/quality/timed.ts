/** Does something and says how long it took by the clock, in milliseconds. */
export async function timed<Result>(work: () => Promise<Result> | Result): Promise<{ result: Result; milliseconds: number }> {
  const started = performance.now();
  const result = await work();
  return { result, milliseconds: performance.now() - started };
}
