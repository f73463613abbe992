import { afterEach, describe, expect, test } from "vitest";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import type { SnapshotUsage } from "../../../../electron/contract/snapshots.ts";
import { SnapshotFields } from "../../../../renderer/snapshots/SnapshotFields.tsx";
import { createDesk, type Desk, eventually, idOf, usage } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

const stored: SnapshotUsage = {
  ...usage,
  totalBytes: 300_000_000,
  documents: [{ documentId: idOf("a"), name: "a.pdf", bytes: 300_000_000, usedAt: 1 }],
};

async function started(handlers: Parameters<typeof createDesk>[0] = {}): Promise<void> {
  desk = createDesk(handlers);
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
}

const fields = (limit = "10", form: "exact" | "q8_0" = "exact"): string =>
  show(desk.session, <SnapshotFields limit={limit} form={form} onChange={() => undefined} />).replaceAll("\u00a0", " ");
const known = () => desk.session.stores.snapshots.getState().usage;

describe("the part of the settings about stored caches", () => {
  test("says how much is stored of how much, and of how many documents", async () => {
    await started({ snapshotUsage: () => stored });
    await eventually(() => expect(known()).toEqual(stored));
    expect(fields()).toContain("300 MB of 10 GB, from 1 document<");
    expect(fields()).toContain('style="width:3%"');
    expect(fields()).toMatch(/<button type="button" class="button button-plain">Clear…/);
  });

  test("has nothing to clear where nothing is stored", async () => {
    await started();
    await eventually(() => expect(known()).not.toBeNull());
    expect(fields()).toContain("Nothing is stored.");
    expect(fields()).toMatch(/<button disabled="" type="button"[^>]*>Clear…/);
  });

  test("says what a smaller limit takes away before it is saved", async () => {
    await started({ snapshotUsage: () => stored });
    await eventually(() => expect(known()).toEqual(stored));
    expect(fields("0.1")).toContain("Saving this removes 200 MB at least");
    expect(fields("0")).toContain("Saving this removes all 300 MB.");
    expect(fields("0.3")).not.toContain("Saving this");
    expect(fields("-1")).toContain("A number from 0 to 100,000 is needed.");
  });

  test("says what a form gives and costs", async () => {
    await started();
    expect(fields("10", "q8_0")).toContain("an answer may differ");
    expect(fields("10", "exact")).toContain("an answer is the one that reading gives");
  });

  test("does not pretend to know while the engine does not run", async () => {
    await started({ snapshotUsage: () => stored });
    await eventually(() => expect(known()).toEqual(stored));
    desk.session.engineChanged({ state: "stopped", problem: { code: "engine-died", message: "It ended." } });
    expect(fields()).toContain("What is stored is not known");
    expect(fields()).not.toContain("300 MB");
  });
});

describe("what is stored", () => {
  test("is asked for again when an answer has ended", async () => {
    let asked = 0;
    await started({
      snapshotUsage: () => {
        asked += 1;
        return usage;
      },
      ask: () => {
        throw new LongsightError("does-not-fit", "It does not fit.");
      },
    });
    await eventually(() => expect(asked).toBe(1));
    const conversation = await desk.session.conversations.ensureCurrent();
    await desk.session.answer.ask(conversation.id, "why?", null);
    await eventually(() => expect(asked).toBe(2));
  });

  test("is cleared of one document or of all, and the window knows what is left", async () => {
    await started({ snapshotUsage: () => stored, clearSnapshots: () => usage });
    await eventually(() => expect(known()).toEqual(stored));
    await desk.session.snapshots.clear(idOf("a"));
    expect(known()).toEqual(usage);
    await desk.session.snapshots.clear(null);
    const cleared = desk.asked.filter(({ method }) => method === "clearSnapshots").map(({ payload }) => payload);
    expect(cleared).toEqual([{ documentId: idOf("a") }, { documentId: null }]);
  });

  test("that could not be cleared is said, and shown as it is", async () => {
    await started({
      snapshotUsage: () => stored,
      clearSnapshots: () => {
        throw new LongsightError("storage", "It could not be removed.");
      },
    });
    await desk.session.snapshots.clear(null);
    expect(desk.session.stores.shell.getState().problems).toMatchObject([{ problem: { message: "It could not be removed." } }]);
    expect(known()).toEqual(stored);
  });

  test("is nothing to speak of in a run that stores nothing", async () => {
    await started({
      snapshotUsage: () => {
        throw new LongsightError("not-supported", "Nothing is kept.");
      },
    });
    await desk.session.snapshots.refresh();
    expect(known()).toBeNull();
    expect(desk.session.stores.shell.getState().problems).toEqual([]);
  });
});
