import { build } from "../../../scripts/build.mjs";
import { anyDisplay } from "../../../scripts/display.mjs";
import { ensureElectron } from "../../../scripts/electron.mjs";

/** Where the tests find the Electron that they start. */
export const electronVariable = "LONGSIGHT_TEST_ELECTRON";

/** Builds what is out of date, finds Electron and, where there is none, starts a display for it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  await build();
  const electron = await ensureElectron({ say: (message: string) => console.log(message) });
  if (!electron) throw new Error("The end-to-end tests need Electron.");
  process.env[electronVariable] = JSON.stringify(electron);
  if (process.platform !== "linux" || process.env["DISPLAY"]) return async () => undefined;
  const display = await anyDisplay();
  if (!display) throw new Error("The end-to-end tests need a display: install Xvfb.");
  Object.assign(process.env, display.env);
  return display.stop;
}
