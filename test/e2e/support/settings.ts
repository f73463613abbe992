import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultSampling, type Sampling } from "../../../electron/contract/conversation.ts";
import type { Settings } from "../../../electron/contract/shell.ts";

/** Puts settings where the app reads them at its start: short greedy answers, a short context, no tour. */
export async function writeSettings(
  userData: string,
  sampling: Partial<Sampling> = {},
  settings: Partial<Settings> = { contextLength: 4096 },
): Promise<void> {
  const text = JSON.stringify({ tourSeen: true, ...settings, sampling: { ...defaultSampling, maxTokens: 32, ...sampling } });
  await writeFile(join(userData, "settings.json"), text);
}
