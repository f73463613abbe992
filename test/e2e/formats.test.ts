import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/files.mjs";
import { makeDocx, makeEpub, paragraph } from "../unit/engine/documents/markupFiles.ts";
import { makePdf } from "../unit/engine/documents/pdfFiles.ts";
import { scanOf } from "../unit/engine/documents/scan.ts";
import { seriousFaults } from "./support/axe.ts";
import { Desk } from "./support/desk.ts";
import { dropFiles } from "./support/drop.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

test("a Word document, a book and a web page open as text that runs and fetches nothing", async ({ start, userData }) => {
  await writeSettings(userData);
  const write = async (name: string, content: Uint8Array | string): Promise<string> => {
    const path = join(userData, name);
    await writeFile(path, content);
    return path;
  };
  const files = [
    await write(
      "letter.docx",
      makeDocx(paragraph("Light", "Heading1") + paragraph("The harbour light is 4417 &lt;b&gt;bright&lt;/b&gt;.")),
    ),
    await write("tides.epub", makeEpub(["<h1>The ebb</h1><p>Water goes out.</p>", "<h1>The flood</h1><p>Water comes in.</p>"])),
    await write(
      "page.html",
      '<!DOCTYPE html><title>Ports</title><h1>Ports</h1><p>Salt and tiles.</p><img src="https://example.com/x.png" onerror="window.ran = 1"><script>window.ran = 1</script>',
    ),
  ];
  const { page } = await start();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const desk = new Desk(page);
  await dropFiles(page, '[data-testid="drop-area"]', files);
  for (const name of ["letter.docx", "tides.epub", "page.html"]) await expect(desk.document(name)).toBeVisible({ timeout: 60_000 });
  for (const [name, words] of [
    ["letter.docx", "The harbour light is 4417 <b>bright</b>."],
    ["tides.epub", "Water comes in."],
    ["page.html", "Salt and tiles."],
  ] as const) {
    await page.getByRole("combobox", { name: "Document in view" }).selectOption({ label: name });
    await expect(page.getByRole("group", { name: `Text of ${name}` })).toContainText(words);
  }
  expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  expect(requests.filter((url) => url.includes("example.com"))).toEqual([]);
});

test("a scan is read out of its pictures: stopped, begun again, beside its page, and there after a restart", async ({
  start,
  userData,
}) => {
  test.setTimeout(300_000);
  await writeSettings(userData);
  const pdf = await makePdf([(sheet) => sheet.drawText("The harbour master keeps a record.", { x: 72, y: 700, size: 14 })]);
  const path = join(userData, "scan.pdf");
  await writeFile(path, await scanOf(pdf, join(root, "out", "engine", "pdfWorker.cjs")));
  const longsight = await start({ files: [path] });
  const { page } = longsight;
  const recognise = page.getByRole("button", { name: "Recognise text" });
  await expect(recognise).toBeVisible({ timeout: 60_000 });
  await expect(page.getByTestId("thumbnail").first()).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await recognise.click();
  await expect(page.getByTestId("recognition-progress")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(recognise).toBeVisible();
  await recognise.click();
  await expect(page.getByText("recognised in pictures").first()).toBeVisible({ timeout: 120_000 });
  await expect(recognise).toBeHidden();
  await page.getByRole("button", { name: "Extracted text beside the page" }).click();
  const beside = page.getByRole("complementary", { name: "Extracted text beside the page" });
  await expect(beside).toContainText("The harbour master keeps a record.");
  expect(await seriousFaults(page)).toEqual([]);
  await expect(page.locator(".text-layer")).toContainText("The harbour master keeps a record.");
  await longsight.quit();

  const second = await start();
  await expect(second.page.locator(".text-layer")).toContainText("The harbour master keeps a record.", { timeout: 60_000 });
});
