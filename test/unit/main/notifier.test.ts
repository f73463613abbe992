import { expect, it } from "vitest";
import { Notifier } from "../../../electron/main/notifier.ts";

/** A notification whose events a test raises. */
function fake() {
  const listeners = new Map<string, () => void>();
  let shown = 0;
  return {
    on: (event: "click" | "close", listener: () => void) => listeners.set(event, listener),
    show: () => {
      shown += 1;
    },
    raise: (event: "click" | "close") => listeners.get(event)?.(),
    shown: () => shown,
  };
}

it("tells only who does not see the window, and brings the window when it is clicked", () => {
  const made: { readonly content: unknown; readonly notification: ReturnType<typeof fake> }[] = [];
  let background = false;
  let clicks = 0;
  const notifier = new Notifier({
    isInBackground: () => background,
    make: (content) => {
      const notification = fake();
      made.push({ content, notification });
      return notification;
    },
    onClick: () => {
      clicks += 1;
    },
  });
  const content = { title: "Read", body: "" };
  expect(notifier.notify(content)).toEqual({ shown: false });
  expect(made).toHaveLength(0);
  background = true;
  expect(notifier.notify(content)).toEqual({ shown: true });
  expect(made.map((one) => [one.content, one.notification.shown()])).toEqual([[content, 1]]);
  made[0]?.notification.raise("click");
  made[0]?.notification.raise("close");
  expect(clicks).toBe(1);
});

it("says so where the system has no notifications", () => {
  const notifier = new Notifier({ isInBackground: () => true, make: () => null, onClick: () => undefined });
  expect(notifier.notify({ title: "Read", body: "" })).toEqual({ shown: false });
});
