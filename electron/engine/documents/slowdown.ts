import { cpus, loadavg } from "node:os";

/**
 * How many times longer a thread's work may take now than on an idle machine: what wanted to run over the last minute, by core. At least 1, which
 * it is too where the system does not count (Windows). A limit that is to find an endless loop is multiplied by it: a good file on a busy machine is
 * slow as well.
 */
export function slowdown(load: number = loadavg()[0] ?? 0, cores: number = cpus().length): number {
  return Math.max(1, load / Math.max(1, cores));
}
