import { z } from "zod";

/** A machine as benches describe it (figures.mjs). */
export const machineSchema = z.object({
  cpu: z.string(),
  cores: z.number().int().positive(),
  /** Null where it was not noted. */
  memoryBytes: z.number().positive().nullable(),
  /** Platform, architecture, release. */
  system: z.string(),
});
type Machine = z.infer<typeof machineSchema>;

/** A machine in words. Releases of its system are left out: an update makes no other machine. */
export function machineName({ cpu, cores, memoryBytes, system }: Machine): string {
  const memory = memoryBytes === null ? [] : [`${Math.round(memoryBytes / 2 ** 30)} GiB`];
  return [cpu.trim(), `${cores} ${cores === 1 ? "core" : "cores"}`, ...memory, system.split(" ").slice(0, 2).join(" ")].join(", ");
}
