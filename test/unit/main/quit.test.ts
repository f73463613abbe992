import { expect, it } from "vitest";
import { QuitGuard } from "../../../electron/main/quit.ts";

/** Plays Electron: quit() raises before-quit; when nobody holds it up, the app has ended. */
function play({ busy, agree }: { busy: boolean; agree: boolean }) {
  const log: string[] = [];
  const raise = (handler: (event: { preventDefault: () => void }) => void) => {
    let held = false;
    handler({
      preventDefault: () => {
        held = true;
      },
    });
    return held;
  };
  const quit = () => {
    if (!raise((event) => guard.onBeforeQuit(event))) log.push("ended");
  };
  const guard: QuitGuard = new QuitGuard({
    quit,
    isBusy: () => busy,
    ask: async () => {
      log.push("asked");
      return agree;
    },
    finish: async () => {
      log.push("finished");
    },
  });
  return { log, quit, close: () => raise((event) => guard.onWindowClose(event)) };
}

const settle = () => new Promise((done) => setTimeout(done, 0));

it("finishes before it ends, and asks nothing while nothing is worked on", async () => {
  const { log, quit } = play({ busy: false, agree: false });
  quit();
  quit();
  await settle();
  expect(log).toEqual(["finished", "ended"]);
});

it("asks while something is worked on, and goes on when told to; the next quit asks again", async () => {
  const { log, quit } = play({ busy: true, agree: false });
  quit();
  await settle();
  quit();
  await settle();
  expect(log).toEqual(["asked", "asked"]);
});

it("treats closing the window as quitting: the window stays until that is settled", async () => {
  const { log, close } = play({ busy: true, agree: true });
  expect(close()).toBe(true);
  await settle();
  expect(log).toEqual(["asked", "finished", "ended"]);
  expect(close()).toBe(false);
});
