import { join } from "node:path";
import { utilityProcess } from "electron";
import { engineEnvironment } from "./engineEnvironment.ts";
import type { RotatingLog } from "./rotatingLog.ts";

/** The engine's name in Electron's process lists and in `child-process-gone`. */
export const engineServiceName = "longsight-engine";

/** Starts an engine process; what it writes goes to its log. */
export function forkEngine(appFolder: string, log: RotatingLog): Electron.UtilityProcess {
  const child = utilityProcess.fork(join(appFolder, "out", "engine", "engine.cjs"), [], {
    serviceName: engineServiceName,
    stdio: "pipe",
    env: engineEnvironment(process.env),
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => log.write(chunk.toString("utf8")));
  return child;
}
