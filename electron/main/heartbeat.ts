export type HeartbeatOptions = {
  /** Milliseconds between two pings. */
  readonly everyMs: number;
  /** Milliseconds without an answer after which the other side counts as silent. */
  readonly limitMs: number;
  readonly ping: () => void;
  /** Whether anybody cares; while nobody does, no ping is sent. */
  readonly isWanted: () => boolean;
  readonly onSilent: () => void;
  readonly onBack: () => void;
};

/** Notices when another process no longer answers, and when it does again. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: NodeJS.Timeout | undefined;
  #silent = false;
  /** When the other side was last known to be well, and when this clock last ticked. */
  #heard = 0;
  #ticked = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  start(): void {
    this.stop();
    this.#startCounting();
    this.#timer = setInterval(() => this.#tick(), this.#options.everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#silent = false;
  }

  /** The other side has answered. */
  heard(): void {
    this.#heard = Date.now();
    if (!this.#silent) return;
    this.#silent = false;
    this.#options.onBack();
  }

  #startCounting(): void {
    this.#heard = Date.now();
    this.#ticked = this.#heard;
  }

  #tick(): void {
    const { everyMs, limitMs, ping, isWanted, onSilent } = this.#options;
    const now = Date.now();
    const passed = now - this.#ticked;
    this.#ticked = now;
    // After a sleep, a halt of this process, or a change of the clock, the other side is not to blame for the time that passed.
    if (passed < 0 || passed > everyMs * 2 || !isWanted()) this.#startCounting();
    if (!isWanted()) return;
    ping();
    if (this.#silent || now - this.#heard < limitMs) return;
    this.#silent = true;
    onSilent();
  }
}
