import { describe, expect, test } from "vitest";
import { EmptyDesk } from "../../../../renderer/documents/EmptyDesk.tsx";
import { hints } from "../../../../renderer/tour/hints.ts";
import { createDesk, eventually } from "../fakeEngine.ts";
import { show } from "../show.tsx";

describe("the first start", () => {
  test("begins a tour, which is over for good when it is left", async () => {
    const desk = createDesk();
    await desk.session.start();
    const { shell } = desk.session.stores;
    expect(shell.getState().tour).toBe(0);
    desk.session.showTour(hints.length - 1);
    expect(desk.settings().tourSeen).toBe(false);
    desk.session.showTour(null);
    await eventually(() => expect(desk.settings().tourSeen).toBe(true));
    const again = createDesk();
    again.set({ tourSeen: true });
    await again.session.start();
    expect(again.session.stores.shell.getState().tour).toBeNull();
  });

  test("suggests three questions, and one click opens the sample and asks", async () => {
    const asked: unknown[] = [];
    const desk = createDesk({
      ask: ({ question }: { question: string }) => {
        asked.push(question);
        throw new Error("That will do.");
      },
    });
    desk.files.sample = "/app/assets/samples/a.pdf";
    await desk.session.start();
    await eventually(() => expect(desk.session.stores.model.getState().current).not.toBeNull());
    expect(show(desk.session, <EmptyDesk />).match(/class="button button-plain suggestion"/g)).toHaveLength(3);
    await desk.session.askSample("How heavy is the pump?");
    expect(asked).toEqual(["How heavy is the pump?"]);
  });

  test("asks nothing where the sample is missing, and says so", async () => {
    const desk = createDesk();
    await desk.session.start();
    await desk.session.askSample("How heavy is the pump?");
    expect(desk.asked.map(({ method }) => method)).not.toContain("ask");
    expect(desk.session.stores.shell.getState().problems.map(({ problem }) => problem.code)).toEqual(["document-missing"]);
  });
});

test("the text goes one size up or down, and stays within its sizes", async () => {
  const desk = createDesk();
  await desk.session.start();
  const size = () => desk.session.stores.shell.getState().settings.textSize;
  const sizes = [1, 1, 1, -1, -1, -1].map((by) => {
    desk.session.stepTextSize(by === 1 ? 1 : -1);
    return size();
  });
  expect(sizes).toEqual(["large", "largest", "largest", "large", "normal", "normal"]);
  await eventually(() => expect(desk.settings().textSize).toBe("normal"));
});

test("the data folder is opened by main, which alone knows where it is", async () => {
  const desk = createDesk();
  expect(await desk.session.dataFolder()).toBe("/data");
  await desk.session.openDataFolder();
  expect(desk.told).toEqual([{ method: "openDataFolder", payload: {} }]);
});
