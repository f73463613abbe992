/**
 * How many threads compute: the physical cores, or all but one where a machine has more than four, so that the window and the
 * rest of the desktop stay quick. Hyper-threads share the vector units that matter here.
 * @param cores logical cores
 * @param physicalCores cores without hyper-threads, as llama.cpp counts them
 */
export function defaultThreads(cores: number, physicalCores: number): number {
  const usable = Math.max(1, Math.min(cores, physicalCores));
  return usable > 4 ? usable - 1 : usable;
}
