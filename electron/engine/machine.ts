import { readFile } from "node:fs/promises";
import { cpus, freemem, totalmem } from "node:os";

export type Machine = { readonly cores: number; readonly memoryBytes: number; readonly freeMemoryBytes: number };

/**
 * Cores and memory as this process may use them: a container's limit counts where it is lower than the machine's. Free is what
 * can be had without swapping (Linux: MemAvailable).
 */
export async function describeMachine(): Promise<Machine> {
  const [meminfo, limit, used] = await Promise.all([
    readFile("/proc/meminfo", "utf8").catch(() => ""),
    readFile("/sys/fs/cgroup/memory.max", "utf8").catch(() => ""),
    readFile("/sys/fs/cgroup/memory.current", "utf8").catch(() => ""),
  ]);
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(meminfo)?.[1];
  const free = available === undefined ? freemem() : Number(available) * 1024;
  const capped = Number.parseInt(limit, 10);
  const memoryBytes = Math.min(totalmem(), Number.isNaN(capped) ? Infinity : capped);
  const headroom = Number.isNaN(capped) ? Infinity : capped - (Number.parseInt(used, 10) || 0);
  return { cores: cpus().length || 1, memoryBytes, freeMemoryBytes: Math.max(0, Math.min(free, headroom)) };
}
