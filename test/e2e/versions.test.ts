import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

// Each asks several times.
test.setTimeout(240_000);

test("a question changed in the middle keeps its earlier version with what followed it, over a restart", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 12 });
  const path = await writeTextPdf(userData, "list.pdf", facts(5));
  const first = await start({ files: [path] });
  const desk = new Desk(first.page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("What is stored in Bergen?");
  const before = await desk.waitForAnswer();
  await desk.ask("And in Cork?");
  await desk.waitForAnswer();
  await expect(desk.answers).toHaveCount(2);

  // By keys alone: the first question is changed and asked again.
  await first.page.getByRole("button", { name: "Edit the question" }).first().focus();
  await first.page.keyboard.press("Enter");
  const editor = first.page.getByRole("textbox", { name: "Edit the question" });
  await editor.fill("What is stored in Davos?");
  await first.page.keyboard.press("Enter");
  await expect(desk.answers).toHaveCount(1);
  await desk.waitForAnswer();
  await expect(first.page.getByTestId("versions")).toHaveText("2 / 2");

  await first.page.getByRole("button", { name: "Previous version" }).click();
  await expect(desk.answers).toHaveCount(2);
  await expect(desk.answers.first()).toContainText(before.slice(0, 20));
  await expect(first.page.getByText("And in Cork?")).toBeVisible();
  await first.quit();

  const second = await start();
  const again = new Desk(second.page);
  await expect(again.answers).toHaveCount(2, { timeout: 30_000 });
  await second.page.getByRole("button", { name: "Next version" }).click();
  await expect(again.answers).toHaveCount(1);
  await expect(second.page.getByText("What is stored in Davos?")).toBeVisible();
});

test("an answer is made again with another budget, for that answer alone", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 12 });
  const path = await writeTextPdf(userData, "list.pdf", facts(20));
  const { page } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();
  await page.getByRole("button", { name: "Other settings for this answer" }).click();
  await page.getByRole("combobox", { name: "Budget" }).selectOption("128");
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect(page.getByTestId("versions")).toHaveText("2 / 2", { timeout: 30_000 });
  await desk.waitForAnswer();
  await expect(desk.lastAnswer.locator(".figures")).toContainText("kept 128");
  await expect(page.getByTestId("budget")).toContainText("everything kept");
});
