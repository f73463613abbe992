// The command line: npm run -s longsight -- ask FILE --question TEXT. What it needs is made on the first use.
import { join } from "node:path";
import { build } from "./build.mjs";
import { root } from "./files.mjs";
import { callerFolder, hand, messageOf } from "./run.mjs";
import { setup } from "./setup.mjs";

try {
  await setup({ need: ["packages", "native", "model"], quiet: true });
  await build({ only: ["engine", "cli"] });
  const script = join(root, "out", "cli", "longsight.cjs");
  process.exitCode = await hand(process.execPath, [script, ...process.argv.slice(2)], { cwd: callerFolder("longsight") });
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 6;
}
