import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { LongsightError } from "../contract/errors.ts";
import { say } from "../contract/said.ts";
import { type Settings, type ShellRequestOf, settingsSchema } from "../contract/shell.ts";

/** Settings from a file's text. A field that is missing or broken takes its default; so do all of a text that is no JSON object. */
export function parseSettings(text: string): Settings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = {};
  }
  const parsed = settingsSchema.safeParse(value);
  return parsed.success ? parsed.data : settingsSchema.parse({});
}

async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const beside = `${file}.${randomBytes(4).toString("hex")}.new`;
  try {
    await writeFile(beside, text);
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
}

/** The settings file: read once, held in memory, written beside and renamed at each change. */
export class SettingsStore {
  readonly #file: string;
  #settings: Settings;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, settings: Settings) {
    this.#file = file;
    this.#settings = settings;
  }

  /** Opens the settings at `file`; a file that is missing or unreadable gives the defaults. */
  static async open(file: string): Promise<SettingsStore> {
    const text = await readFile(file, "utf8").catch(() => "{}");
    return new SettingsStore(file, parseSettings(text));
  }

  get current(): Settings {
    return this.#settings;
  }

  /**
   * Changes the fields named and resolves when the file is written.
   * @throws LongsightError `storage`, with the change in force until the app ends
   */
  async change(change: Readonly<ShellRequestOf<"changeSettings">>): Promise<Settings> {
    const settings = settingsSchema.parse({ ...this.#settings, ...change });
    this.#settings = settings;
    // One write after the other: the file ends as the last change left it.
    const written = this.#writing.then(() => writeWhole(this.#file, `${JSON.stringify(this.#settings, null, 2)}\n`));
    this.#writing = written.catch(() => undefined);
    try {
      await written;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new LongsightError("storage", say("settingsNotSaved", { file: this.#file }), detail);
    }
    return settings;
  }

  /** Resolves when nothing is being written any more. */
  async settled(): Promise<void> {
    await this.#writing;
  }
}
