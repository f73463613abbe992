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

  // What it was chosen by is changed where it stands, from what it was made with.
  await desk.lastAnswer.getByRole("button", { name: /^\S.*, each question: change and ask again/ }).press("Enter");
  await expect(page.getByRole("combobox", { name: "Budget" })).toHaveValue("128");
  await page.getByRole("combobox", { name: "Policy" }).selectOption("streamingllm");
  await page.getByRole("button", { name: "Ask again", exact: true }).press("Enter");
  await expect(page.getByTestId("versions")).toHaveText("3 / 3", { timeout: 30_000 });
  await desk.waitForAnswer();
  await expect(desk.lastAnswer.getByRole("button", { name: "StreamingLLM, each question: change and ask again…" })).toBeVisible();
});

test("each conversation keeps its own budget and policy, also in a later run", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 6 });
  const path = await writeTextPdf(userData, "list.pdf", facts(20));
  const first = await start({ files: [path] });
  const desk = new Desk(first.page);
  await desk.waitForDocument("list.pdf");
  const field = first.page.getByRole("spinbutton", { name: "Budget in tokens per head" });
  await field.fill("128");
  await field.press("Enter");
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();
  await first.page.getByRole("button", { name: "New conversation" }).first().click();
  await expect(desk.answers).toHaveCount(0);
  // A new one begins with what was chosen last.
  await expect(field).toHaveValue("128");
  await field.fill("64");
  await field.press("Enter");
  await first.page.getByRole("button", { name: /^Policy: / }).press("Enter");
  await first.page.getByRole("menuitemradio", { name: /^StreamingLLM/ }).press("Enter");
  await desk.ask("What is stored in Cork?");
  await desk.waitForAnswer();
  await first.quit();

  const { page } = await start();
  const again = page.getByRole("spinbutton", { name: "Budget in tokens per head" });
  await expect(again).toHaveValue("64", { timeout: 60_000 });
  await page
    .getByRole("button", { name: /What is stored in Bergen/ })
    .first()
    .click();
  await expect(again).toHaveValue("128");
  await expect(page.getByRole("button", { name: "Policy: StreamingLLM" })).toHaveCount(0);
});
