import { basename } from "node:path";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { dropFiles } from "./support/drop.ts";
import { expect, type Longsight, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

/** The engine counts as idle when it uses less than this share of one core. */
const idleShare = 0.2;

/** Processor time that the engine uses in the second that begins `afterMs` from now, as a share of one core. */
async function engineLoad(longsight: Longsight, afterMs: number): Promise<number> {
  await longsight.page.waitForTimeout(afterMs);
  const [before, began] = [await longsight.engineSeconds(), Date.now()];
  await longsight.page.waitForTimeout(1000);
  return ((await longsight.engineSeconds()) - before) / ((Date.now() - began) / 1000);
}

test("a document dropped in is shown, asked about and answered word by word", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 64 });
  const path = await writeTextPdf(userData, "wärehouse 'list' 1.pdf", facts(20));
  const longsight = await start();
  const desk = new Desk(longsight.page);
  await dropFiles(longsight.page, '[data-testid="drop-area"]', [path]);
  await desk.waitForDocument(basename(path));
  await expect(desk.canvases.first()).toHaveAttribute("data-state", "drawn");

  const lengths = new Set<number>();
  await desk.ask("What is stored in the warehouses?");
  await desk.waitForWords();
  for (let look = 0; look < 200 && (await desk.lastAnswer.getAttribute("data-status")) === "writing"; look += 1) {
    lengths.add((await desk.answerText()).length);
    await longsight.page.waitForTimeout(40);
  }
  expect(lengths.size).toBeGreaterThanOrEqual(4);
  expect((await desk.waitForAnswer()).length).toBeGreaterThan(20);
  await expect(desk.lastAnswer).toContainText("tokens/s");
  expect(longsight.console.filter((line) => /error/i.test(line))).toEqual([]);
});

test("a document opened by the dialog can be asked about; the system's own dialog was asked once", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 16 });
  const path = await writeTextPdf(userData, "list.pdf", facts(5));
  const longsight = await start();
  const desk = new Desk(longsight.page);
  await longsight.electronApp.evaluate(({ dialog }, chosen) => {
    const asked: unknown[] = [];
    Object.assign(globalThis, { asked });
    Object.assign(dialog, {
      showOpenDialog: async (...given: unknown[]) => {
        asked.push(given.at(-1));
        return { canceled: false, filePaths: [chosen] };
      },
    });
  }, path);
  await longsight.page.getByRole("button", { name: "Open documents…" }).click();
  await desk.waitForDocument("list.pdf");
  expect(await longsight.electronApp.evaluate(() => Reflect.get(globalThis, "asked"))).toMatchObject([
    { properties: ["openFile", "multiSelections"] },
  ]);
  await desk.ask("How many warehouses are there?");
  expect(await desk.waitForAnswer()).not.toBe("");
});

test("stopping while reading and while writing leaves the engine idle and the next answer right", async ({ start, userData }) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 96 });
  const path = await writeTextPdf(userData, "long.pdf", facts(100));
  const longsight = await start({ files: [path] });
  const desk = new Desk(longsight.page);
  await desk.waitForDocument("long.pdf");
  const again = longsight.page.getByRole("button", { name: "Answer again" });
  const question = "Write a long description of the warehouses in Bergen.";

  await desk.ask(question);
  await desk.waitForPrefill();
  await desk.stop.click();
  await expect(desk.lastAnswer).toHaveAttribute("data-status", "stopped", { timeout: 2000 });
  expect(await engineLoad(longsight, 500)).toBeLessThan(idleShare);
  expect(await desk.answerText()).toBe("");
  await expect(desk.lastAnswer.locator(".figures")).toContainText("stopped after reading");

  await again.click();
  await desk.waitForWords();
  await desk.stop.click();
  await expect(desk.lastAnswer).toHaveAttribute("data-status", "stopped", { timeout: 2000 });
  expect(await engineLoad(longsight, 500)).toBeLessThan(idleShare);
  const partial = await desk.answerText();
  expect(partial).not.toBe("");

  await again.click();
  const answer = await desk.waitForAnswer();
  expect(answer.startsWith(partial.slice(0, 20))).toBe(true);

  // The same question to an engine that was never stopped.
  await longsight.quit();
  const fresh = await start({ files: [path] });
  const freshDesk = new Desk(fresh.page);
  await freshDesk.page.getByRole("button", { name: "New conversation" }).first().click();
  await dropFiles(fresh.page, '[data-testid="drop-area"]', [path]);
  await freshDesk.waitForDocument("long.pdf");
  await freshDesk.ask(question);
  expect(await freshDesk.waitForAnswer()).toBe(answer);
});
