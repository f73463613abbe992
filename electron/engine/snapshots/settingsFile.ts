import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type SnapshotSettings, snapshotSettingsSchema } from "../../contract/snapshots.ts";
import type { Disk } from "./recordFiles.ts";

/** What is left out stays. */
export type SettingsChange = { readonly [Name in keyof SnapshotSettings]?: SnapshotSettings[Name] | undefined };

/** How much room snapshots may take, remembered beside them: so every process that uses the folder keeps to the same. */
export type SettingsFile = {
  current(): SnapshotSettings;
  /** Reads what another process may have changed; what is missing or broken takes its default. */
  read(): Promise<void>;
  /** In force at once. @throws what the system does, where it could not be written down */
  change(change: SettingsChange): Promise<void>;
};

export function createSettingsFile(folder: string, disk: Disk): SettingsFile {
  const path = join(folder, "settings.json");
  let settings = snapshotSettingsSchema.parse({});
  return {
    current: () => settings,
    async read() {
      const text = await disk.readFile(path, "utf8").catch(() => null);
      // What could not be written down stays in force for this run.
      if (text !== null) settings = parseSettings(text);
    },
    async change(change) {
      const changed = { budgetBytes: change.budgetBytes ?? settings.budgetBytes, form: change.form ?? settings.form };
      settings = changed;
      await disk.mkdir(folder, { recursive: true, mode: 0o700 });
      const beside = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.new`;
      try {
        const file = await disk.open(beside, "wx", 0o600);
        await file.writeFile(`${JSON.stringify(changed)}\n`).finally(() => file.close());
        await disk.rename(beside, path);
        // The old ones may have been read in between.
        settings = changed;
      } finally {
        await disk.rm(beside, { force: true }).catch(() => undefined);
      }
    },
  };
}

function parseSettings(text: string): SnapshotSettings {
  try {
    const parsed = snapshotSettingsSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : snapshotSettingsSchema.parse({});
  } catch {
    return snapshotSettingsSchema.parse({});
  }
}
