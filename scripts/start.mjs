// One command from a fresh clone to the window: npm start [-- FILE…]. Without a display the same job runs in the terminal.
import { join, resolve } from "node:path";
import { build } from "./build.mjs";
import { root } from "./files.mjs";
import { progress } from "./progress.mjs";
import { callerFolder, hand, messageOf } from "./run.mjs";
import { setup } from "./setup.mjs";

const sample = join(root, "assets", "samples", "longsight-sample.pdf");

/** Whether a window can be shown; X11 and Wayland say so in the environment. */
function hasDisplay(environment = process.env, platform = process.platform) {
  return platform !== "linux" || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

async function buildShown(only) {
  const shown = progress({ quiet: true });
  await build({ ...(only ? { only } : {}), say: shown.say });
  shown.end();
}

async function openWindow(electron, files) {
  const { electronLaunch } = await import("./electron.mjs");
  const { command, args, env } = await electronLaunch(electron, files);
  return hand(command, args, { env, cwd: root });
}

/** The job that the window would do, in the terminal. */
async function askInTerminal(files) {
  const given = files.length > 0;
  const question = given ? "What is this document about?" : "How long does the warranty last?";
  console.error(`Asking about ${given ? files.join(" ") : "assets/samples/longsight-sample.pdf"} instead: ${question}`);
  const what = [...(given ? files : [sample]), "--max-tokens", "96"];
  const code = await hand(process.execPath, [join(root, "out", "cli", "longsight.cjs"), "ask", ...what, "--question", question]);
  console.error('\nAsk what you like with: npm run -s longsight -- ask FILE --question "…"');
  return code;
}

async function start(files) {
  const display = hasDisplay();
  const { electron } = await setup({ need: ["packages", "native", "model", ...(display ? ["electron"] : [])] });
  if (electron) {
    await buildShown();
    console.error("Opening Longsight. Closing its window ends this command.");
    return openWindow(electron, files);
  }
  await buildShown(["engine", "cli"]);
  console.error(
    display
      ? "Longsight's window needs Electron (see above)."
      : "There is no display here (DISPLAY and WAYLAND_DISPLAY are not set), so no window opens.",
  );
  return askInTerminal(files);
}

try {
  const folder = callerFolder("start");
  process.exitCode = await start(process.argv.slice(2).map((file) => (file.startsWith("-") ? file : resolve(folder, file))));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
