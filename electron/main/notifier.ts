import type { ShellReplyOf, ShellRequestOf } from "../contract/shell.ts";

/** What is used of the system's notification; Electron's Notification is one. */
export type SystemNotification = {
  on(event: "click" | "close", listener: () => void): unknown;
  show(): void;
};

export type NotifierOptions = {
  /** Whether the person is elsewhere: who sees the window needs no telling. */
  readonly isInBackground: () => boolean;
  /** Null where the system has none. */
  readonly make: (content: ShellRequestOf<"notify">) => SystemNotification | null;
  /** The person wants to see what it told. */
  readonly onClick: () => void;
};

/** Tells by the system's notifications what ended while the window was in the background. */
export class Notifier {
  readonly #options: NotifierOptions;
  /** One that nothing holds is collected, and its click with it. */
  readonly #shown = new Set<SystemNotification>();

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  notify(content: ShellRequestOf<"notify">): ShellReplyOf<"notify"> {
    const { isInBackground, make, onClick } = this.#options;
    const notification = isInBackground() ? make(content) : null;
    if (notification === null) return { shown: false };
    this.#shown.add(notification);
    notification.on("close", () => this.#shown.delete(notification));
    notification.on("click", () => {
      this.#shown.delete(notification);
      onClick();
    });
    notification.show();
    return { shown: true };
  }
}
