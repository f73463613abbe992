// The engine's process as it is, but for what a bench needs of it: garbage is collected when SIGUSR2 comes.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import "../../electron/engine/process.ts";

setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("gc");

process.on("SIGUSR2", () => {
  if (typeof collect === "function") Reflect.apply(collect, undefined, []);
});
