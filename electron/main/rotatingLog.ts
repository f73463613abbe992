import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Bytes after which a log file is put aside as `….1` and a new one begun: a bug report is small, and a disk never fills. */
const defaultLimit = 1_000_000;

/** A log file that never grows beyond a limit; the one before it is kept. Writing never throws: a full disk must not end the app. */
export class RotatingLog {
  readonly #file: string;
  readonly #limit: number;
  #bytes: number | null = null;
  #waiting = "";
  #writing: Promise<void> | null = null;

  constructor(file: string, limit = defaultLimit) {
    this.#file = file;
    this.#limit = limit;
  }

  /** Adds text as it is. */
  write(text: string): void {
    // Faster than the disk: the rest of a flood is dropped rather than held in memory.
    if (this.#waiting.length < this.#limit) this.#waiting += text;
    this.#writing ??= this.#drain();
  }

  /** Adds one line with the time in front. */
  line(text: string): void {
    this.write(`${new Date().toISOString()} ${text}\n`);
  }

  /** Resolves when all is written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting !== "") {
        const text = this.#waiting;
        this.#waiting = "";
        await this.#append(text);
      }
    } catch {
      this.#waiting = "";
    } finally {
      this.#writing = null;
    }
  }

  async #append(text: string): Promise<void> {
    if (this.#bytes === null) {
      await mkdir(dirname(this.#file), { recursive: true });
      this.#bytes = await stat(this.#file).then(
        (found) => found.size,
        () => 0,
      );
    }
    if (this.#bytes > 0 && this.#bytes + Buffer.byteLength(text) > this.#limit) {
      await rename(this.#file, `${this.#file}.1`);
      this.#bytes = 0;
    }
    await appendFile(this.#file, text);
    this.#bytes += Buffer.byteLength(text);
  }
}
