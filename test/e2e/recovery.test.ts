import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

// Every path that the app keeps goes through a folder with a difficult name.
test.use({ folderName: "Lóng 'sight' \"ü\" 日本 $HOME-" });

test("after a restart the conversation, its answer and its document are there", async ({ start, userData }) => {
  await writeSettings(userData, { maxTokens: 24 });
  const path = await writeTextPdf(userData, "list.pdf", facts(8));
  const first = await start({ files: [path] });
  const desk = new Desk(first.page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("What is stored in Bergen?");
  const answer = await desk.waitForAnswer();
  await first.quit();

  const second = await start();
  const again = new Desk(second.page);
  await again.waitForDocument("list.pdf");
  await expect(second.page.getByText("What is stored in Bergen?").last()).toBeVisible();
  expect(await again.answerText()).toBe(answer);
  await expect(again.canvases.first()).toHaveAttribute("data-state", "drawn");
});

test("an engine killed in the middle of an answer leaves the window, the words and a way on", async ({ start, userData }) => {
  test.setTimeout(150_000);
  await writeSettings(userData, { maxTokens: 400 });
  const path = await writeTextPdf(userData, "list.pdf", facts(8));
  const longsight = await start({ files: [path] });
  const desk = new Desk(longsight.page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("Write a long story about the warehouses.");
  await desk.waitForWords();
  await longsight.killEngine();
  await expect(desk.banner).toContainText("ended from outside");
  const kept = await desk.answerText();
  expect(kept).not.toBe("");
  await expect(desk.canvases.first()).toBeVisible();

  await desk.banner.getByRole("button", { name: "Restart the engine" }).click();
  await expect(desk.banner).toBeHidden();
  await desk.waitForDocument("list.pdf");
  await expect(desk.lastAnswer).toHaveAttribute("data-status", "interrupted");
  expect((await desk.answerText()).length).toBeGreaterThan(0);
  await desk.ask("Which warehouse is in Cork?");
  await desk.waitForWords();
  await desk.stop.click();
  await expect(desk.answers).toHaveCount(2);
});

test("an app killed in the middle of an answer has the question and what was written at its next start", async ({ start, userData }) => {
  test.setTimeout(150_000);
  await writeSettings(userData, { maxTokens: 400 });
  const path = await writeTextPdf(userData, "list.pdf", facts(8));
  const first = await start({ files: [path] });
  const desk = new Desk(first.page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("Write a long story about the warehouses.");
  await desk.waitForWords();
  await first.page.waitForTimeout(2500);
  const engine = await first.enginePid();
  const written = await desk.answerText();
  await first.kill();
  // The engine must not outlive the app that it belongs to.
  await expect
    .poll(() => {
      try {
        process.kill(engine ?? 0, 0);
        return "alive";
      } catch {
        return "gone";
      }
    })
    .toBe("gone");

  const second = await start();
  const again = new Desk(second.page);
  await again.waitForDocument("list.pdf");
  await expect(again.lastAnswer).toHaveAttribute("data-status", "interrupted");
  await expect(second.page.getByText("Write a long story about the warehouses.").last()).toBeVisible();
  const kept = await again.answerText();
  expect(kept.length).toBeGreaterThan(20);
  expect(written.slice(0, 20)).toBe(kept.slice(0, 20));
});
