/** What of Electron's app and window is used here. */
type Ending = { preventDefault: () => void };

export type QuitOptions = {
  /** Ends the app for good; comes back to {@link QuitGuard.onBeforeQuit}, which then lets it through. */
  readonly quit: () => void;
  readonly isBusy: () => boolean;
  /** Asks whether to quit although something is being worked on. */
  readonly ask: () => Promise<boolean>;
  /** Brings everything to a good end; must not take longer than a few seconds. */
  readonly finish: () => Promise<void>;
};

/** Lets the app end only after it was asked (when busy) and everything was brought to a good end. */
export class QuitGuard {
  readonly #options: QuitOptions;
  #step: "running" | "asking" | "done" = "running";

  constructor(options: QuitOptions) {
    this.#options = options;
  }

  /** For a window that is the whole app: closing it is quitting. */
  onWindowClose(event: Ending): void {
    if (this.#step === "done") return;
    event.preventDefault();
    this.#options.quit();
  }

  onBeforeQuit(event: Ending): void {
    if (this.#step === "done") return;
    event.preventDefault();
    if (this.#step === "running") void this.#end();
  }

  async #end(): Promise<void> {
    this.#step = "asking";
    const { isBusy, ask, finish, quit } = this.#options;
    if (isBusy() && !(await ask())) {
      this.#step = "running";
      return;
    }
    await finish();
    this.#step = "done";
    quit();
  }
}
