import { afterEach, expect, test } from "vitest";
import { EngineBanner } from "../../../../renderer/app/EngineBanner.tsx";
import { TopBar } from "../../../../renderer/app/TopBar.tsx";
import { createDesk, type Desk, eventually, turnOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

const unresponsive = { state: "unresponsive", problem: { code: "engine-died", message: "It has not answered for 20 seconds." } } as const;
const banner = (): string => show(desk.session, <EngineBanner />);
const topBar = (): string => show(desk.session, <TopBar libraryOpen onLibrary={() => undefined} />);
const loads = (): number => desk.asked.filter((call) => call.method === "loadModel").length;

/** A question that the engine has taken down and goes on with for ever. */
async function asking() {
  desk = createDesk({
    ask: (_payload, { emit }) => {
      Reflect.apply(emit, undefined, [{ event: "turn", turn: turnOf("t1") }]);
      return new Promise(() => undefined);
    },
  });
  await desk.session.start();
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  const conversation = await desk.session.conversations.ensureCurrent();
  const asked = desk.session.answer.ask(conversation.id, "why?", null);
  const live = () => desk.session.stores.answer.getState().live[conversation.id];
  await eventually(() => expect(live()?.turn?.id).toBe("t1"));
  return { asked, live };
}

test("an engine that does not answer has a banner with a restart, and what is under way waits", async () => {
  const { live } = await asking();
  desk.session.engineChanged(unresponsive);
  expect(banner()).toContain("It has not answered for 20 seconds.");
  expect(banner()).toContain("Restart the engine");
  expect(topBar()).toContain("not responding");
  expect(desk.session.prompt.obstacle()).toBe("engine");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(live()?.status).toBe("running");
  expect(desk.session.stores.model.getState().current).not.toBeNull();
});

test("one that comes back by itself goes on, and nothing is loaded again", async () => {
  const { live } = await asking();
  const before = loads();
  desk.session.engineChanged(unresponsive);
  desk.session.engineChanged({ state: "ready" });
  expect(banner()).toBe("");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(live()?.status).toBe("running");
  expect(loads()).toBe(before);
});

test.each(["stopped", "starting"] as const)(
  "one that is restarted (%s) ends what was under way and loads its model again",
  async (state) => {
    const { asked } = await asking();
    const before = loads();
    desk.session.engineChanged(unresponsive);
    desk.session.engineChanged(state === "stopped" ? { state, problem: unresponsive.problem } : { state });
    await asked;
    expect(desk.session.stores.conversations.getState().current?.turns).toMatchObject([{ status: "interrupted" }]);
    expect(desk.session.stores.model.getState().current).toBeNull();
    desk.session.engineChanged({ state: "ready" });
    await eventually(() => expect(loads()).toBe(before + 1));
    await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
  },
);

test("a window that opens onto one that does not answer starts when it does", async () => {
  desk = createDesk();
  desk.engine.state = unresponsive;
  await desk.session.start();
  expect(banner()).toContain("Restart the engine");
  expect(loads()).toBe(0);
  desk.session.engineChanged({ state: "ready" });
  await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
});
