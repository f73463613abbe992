import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

test.setTimeout(300_000);

test("what is typed survives switching, a power cut, and an answer in another conversation, which keeps its own text", async ({
  start,
  userData,
}) => {
  await writeSettings(userData, { maxTokens: 200 });
  const path = await writeTextPdf(userData, "list.pdf", facts(20));
  const first = await start({ files: [path] });
  const desk = new Desk(first.page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("Describe the warehouse in Bergen at length.");
  await desk.waitForWords();

  // While it is written: another conversation, with a draft of its own.
  await first.page.getByRole("button", { name: "New conversation" }).first().click();
  await expect(desk.answers).toHaveCount(0);
  await desk.question.fill("Half a question about Cork");
  await expect(first.page.getByText(/^Answering in/)).toBeVisible();
  const other = first.page.getByRole("button", { name: /^Describe the warehouse/ });
  await other.click();
  await expect(desk.answers).toHaveCount(1);
  await expect(desk.question).toHaveValue("");
  await desk.question.fill("And then");
  const answer = await desk.waitForAnswer();
  await first.page.getByRole("button", { name: /^New conversation.*No questions yet/ }).click();
  await expect(desk.answers).toHaveCount(0);
  await expect(desk.question).toHaveValue("Half a question about Cork");
  await first.page.waitForTimeout(1000);
  await first.kill();

  const second = await start();
  const again = new Desk(second.page);
  await expect(again.question).toHaveValue("Half a question about Cork", { timeout: 30_000 });
  await second.page.getByRole("button", { name: /^Describe the warehouse/ }).click();
  await expect(again.question).toHaveValue("And then");
  expect(await again.answerText()).toBe(answer);
});
