import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../../scripts/files.mjs";
import { Desk } from "./support/desk.ts";
import { facts, writeDamagedPdf, writeScannedPdf, writeTextPdf } from "./support/documents.ts";
import { dropFiles } from "./support/drop.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

const data = resolve(process.env["LONGSIGHT_DATA"] ?? join(root, "..", "shared", "data"));
const locked = join(data, "A_pdf", "small", "plumber__password-example.pdf");

test("of several files dropped at once each opens or says why not", async ({ start, userData }) => {
  await writeSettings(userData);
  const good = await writeTextPdf(userData, "good.pdf", facts(5));
  const scan = await writeScannedPdf(userData, "scan.pdf");
  const damaged = await writeDamagedPdf(userData, "damaged.pdf");
  const { page } = await start();
  const desk = new Desk(page);
  await dropFiles(page, '[data-testid="drop-area"]', [damaged, scan, good, join(userData, "gone.pdf")]);
  await expect(desk.document("good.pdf")).toBeVisible({ timeout: 30_000 });
  await expect(desk.notices.filter({ hasText: "damaged.pdf" })).toBeVisible();
  await expect(page.getByText(/no text/i).first()).toBeVisible();
});

test("a file let go as soon as the pointer is over an element opens, as one that rests there", async ({ start, userData }) => {
  await writeSettings(userData);
  const path = await writeTextPdf(userData, "quick.pdf", facts(5));
  const { page } = await start();
  await dropFiles(page, '[data-testid="drop-area"]', [path], "header");
  await expect(new Desk(page).document("quick.pdf")).toBeVisible({ timeout: 30_000 });
});

test("a long document's pages are there while its text is read, which can be stopped", async ({ start, userData }) => {
  await writeSettings(userData);
  const path = await writeTextPdf(userData, "long.pdf", facts(45 * 800));
  const { page } = await start();
  const desk = new Desk(page);
  const reading = page.getByTestId("document-progress");
  // Noted as it happens: the reading may be over before anything can be asked.
  await page.evaluate(() => {
    const seen = { drawnWhileReading: false };
    Object.assign(globalThis, { longsightSeen: seen });
    const drawn = '[data-testid="page-canvas"][data-state="drawn"]';
    new MutationObserver(() => {
      if (document.querySelector(drawn) === null || document.querySelector('[data-testid="document-progress"]') === null) return;
      seen.drawnWhileReading = true;
      // The same picture stays when the text has come.
      document.querySelector(drawn)?.setAttribute("data-early", "true");
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-state"] });
  });

  await dropFiles(page, '[data-testid="drop-area"]', [path]);
  await reading.waitFor();
  await expect(page.locator('[data-testid="page-canvas"][data-state="drawn"]').first()).toBeVisible();
  await page.getByRole("button", { name: "Cancel reading long.pdf" }).click();
  await expect(reading).toHaveCount(0);
  await expect(desk.canvases).toHaveCount(0);
  await expect(desk.document("long.pdf")).toHaveCount(0);

  await dropFiles(page, '[data-testid="drop-area"]', [path]);
  // More than the model's context: the window asks what to do.
  await page.getByRole("button", { name: "Not now" }).click({ timeout: 60_000 });
  await expect(desk.document("long.pdf")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(Reflect.get(globalThis, "longsightSeen"), "drawnWhileReading"))).toBe(true);
  await expect(page.locator('[data-early="true"]')).toHaveCount(1);
  await expect(page.locator(".text-layer").first()).toContainText("Warehouse 1 in Bergen");
  await expect(page.getByRole("button", { name: "Find in the document" })).toBeVisible();
});

test("a scanned document says that it has no text and cannot be asked about", async ({ start, userData }) => {
  await writeSettings(userData);
  const scan = await writeScannedPdf(userData, "scan.pdf");
  const { page } = await start({ files: [scan] });
  const desk = new Desk(page);
  await expect(desk.document("scan.pdf")).toBeVisible({ timeout: 30_000 });
  await desk.question.fill("What does it say?");
  await expect(page.getByText("no text that the model can read")).toBeVisible();
  await expect(desk.send).toBeDisabled();
});

test("text lies over the letters of a page, large and small, in one size of one font", async ({ start, userData }) => {
  await writeSettings(userData);
  const { page } = await start({ files: [join(root, "assets", "samples", "longsight-sample.pdf")] });
  const runs = page.locator(".text-layer").first().locator("span");
  await expect(runs.first()).toBeAttached({ timeout: 30_000 });
  const seen = await runs.evaluateAll((spans) => {
    const sheet = spans[0]?.closest(".text-layer")?.getBoundingClientRect();
    return spans.map((span) => {
      const { left, right, top, bottom } = span.getBoundingClientRect();
      const isOnPage = sheet !== undefined && left >= sheet.left && right <= sheet.right && top >= sheet.top && bottom <= sheet.bottom;
      return { height: Math.round(bottom - top), isOnPage, fontSize: getComputedStyle(span).fontSize };
    });
  });
  expect(seen.filter(({ isOnPage }) => !isOnPage)).toEqual([]);
  // The title is larger than what stands below it.
  const heights = seen.map(({ height }) => height);
  expect(Math.max(...heights)).toBeGreaterThan(1.3 * Math.min(...heights));
  // Each further size would stay in the window's font caches: opening fifty documents left 40 MB there.
  expect(new Set(seen.map(({ fontSize }) => fontSize)).size).toBe(1);
});

test("a locked document asks for its password, also after a wrong one, and never stores it", async ({ start, userData }) => {
  test.skip(!existsSync(locked), `no test data at ${data}`);
  await writeSettings(userData);
  const longsight = await start({ files: [locked] });
  const desk = new Desk(longsight.page);
  await expect(desk.password).toBeFocused({ timeout: 30_000 });
  await desk.password.fill("wrong");
  await desk.password.press("Enter");
  await expect(longsight.page.getByRole("alert").filter({ hasText: /password/i })).toBeVisible();
  await desk.password.fill("test");
  await desk.password.press("Enter");
  await desk.waitForDocument("plumber__password-example.pdf");
  await expect(desk.canvases.first()).toHaveAttribute("data-state", "drawn");
  await longsight.quit();

  const second = await start();
  const again = new Desk(second.page);
  await expect(again.password).toBeVisible({ timeout: 30_000 });
});
