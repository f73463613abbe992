import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

test("what was read is stored, fetched for the next question, cleared one by one and as a whole, and has a limit", async ({
  start,
  userData,
}) => {
  test.setTimeout(240_000);
  await writeSettings(userData, { maxTokens: 6 }, { contextLength: 1024, budget: 96, policy: "snapkv" });
  const path = await writeTextPdf(userData, "list.pdf", facts(14));
  const longsight = await start({ files: [path] });
  const { page } = longsight;
  const desk = new Desk(page);
  const entry = page.getByRole("navigation", { name: "Library" }).getByRole("button", { name: /^list\.pdf/ });
  await desk.waitForDocument("list.pdf");
  await expect(entry).not.toContainText("stored");
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();
  await expect(entry).toContainText(/\d+\sMB\sstored/, { timeout: 30_000 });
  await expect(page.getByText("Each next question fetches the document from disk.")).toBeAttached();
  await desk.ask("And in Cork?");
  await expect(desk.answers).toHaveCount(2);
  await desk.waitForAnswer();
  await expect(desk.lastAnswer.locator(".figures")).toContainText(/[12]\d\d\sfrom disk/);

  await page.getByRole("button", { name: "More for list.pdf" }).click();
  await page.getByRole("menuitem", { name: /^Clear its stored caches \([\d.]+\sMB\)$/ }).click();
  await expect(entry).not.toContainText("stored");
  await desk.ask("And in Davos?");
  await expect(desk.answers).toHaveCount(3);
  await desk.waitForAnswer();
  await expect(desk.lastAnswer.locator(".figures")).toContainText(/3\d\d\sread again/);
  await expect(entry).toContainText("stored", { timeout: 30_000 });

  await page.keyboard.press("Control+,");
  const settings = page.getByRole("dialog", { name: "Settings" });
  const part = settings.getByRole("group", { name: "Stored caches" });
  const limit = part.getByRole("spinbutton", { name: "Limit (GB)" });
  await expect(limit).toHaveValue("10");
  await expect(part).toContainText(/\d+\sMB of 10\sGB, from 1 document/);
  await part.getByRole("button", { name: "Clear…" }).click();
  const question = page.getByRole("alertdialog", { name: "Clear all stored caches?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(settings).toBeVisible();
  await expect(part).toContainText("from 1 document");
  await part.getByRole("button", { name: "Clear…" }).click();
  await question.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(part).toContainText("Nothing is stored.");
  await expect(part.getByRole("button", { name: "Clear…" })).toBeDisabled();

  await limit.fill("-1");
  await expect(settings.getByRole("button", { name: "Save" })).toBeDisabled();
  await limit.fill("0.5");
  await part.getByRole("combobox", { name: "Stored as" }).selectOption("q8_0");
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(settings).toHaveCount(0);
  await expect(entry).not.toContainText("stored");
  // The folder remembers it, for the command line as well.
  const [usage] = (await longsight.callEngine("snapshotUsage", {})).slice(-1);
  expect(usage).toMatchObject({ event: "result", result: { totalBytes: 0, settings: { budgetBytes: 500_000_000, form: "q8_0" } } });
  expect(JSON.parse(await readFile(join(userData, "settings.json"), "utf8"))).not.toHaveProperty("snapshotForm");
  expect(longsight.console.filter((line) => /error/i.test(line))).toEqual([]);
});
