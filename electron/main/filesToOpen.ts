import { resolve } from "node:path";

/**
 * The files among a process's arguments, as absolute paths.
 * @param argv the whole argument list, the executable first
 * @param options folder: where relative paths start; hasAppFolder: the first plain argument is the app itself (unpackaged Electron)
 */
export function filesFromArguments(argv: readonly string[], { folder, hasAppFolder }: { folder: string; hasAppFolder: boolean }): string[] {
  const end = argv.indexOf("--");
  const before = (end === -1 ? argv : argv.slice(0, end)).slice(1).filter((argument) => argument !== "" && !argument.startsWith("-"));
  const after = end === -1 ? [] : argv.slice(end + 1);
  return [...(hasAppFolder ? before.slice(1) : before), ...after].map((path) => resolve(folder, path));
}

/** Files that wait for the window: from the command line, a second start or the system's "open with". Each is handed out once. */
export class FilesToOpen {
  #waiting: string[] = [];
  readonly #onFiles: () => void;

  /** @param onFiles told whenever files were added */
  constructor(onFiles: () => void) {
    this.#onFiles = onFiles;
  }

  add(paths: readonly string[]): void {
    const fresh = paths.filter((path) => !this.#waiting.includes(path));
    if (fresh.length === 0) return;
    this.#waiting.push(...fresh);
    this.#onFiles();
  }

  take(): string[] {
    const files = this.#waiting;
    this.#waiting = [];
    return files;
  }
}
