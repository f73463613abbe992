import { seriousFaults } from "./support/axe.ts";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

test.setTimeout(300_000);

for (const theme of ["light", "dark"] as const) {
  test(`versions, searches, export and comparison have no serious fault (${theme})`, async ({ start, userData }) => {
    await writeSettings(userData, { maxTokens: 12 }, { contextLength: 2048, theme });
    const path = await writeTextPdf(userData, "list.pdf", facts(20));
    const { page } = await start({ files: [path] });
    const desk = new Desk(page);
    await desk.waitForDocument("list.pdf");
    await desk.ask("What is stored in Bergen?");
    await desk.waitForAnswer();
    await page.getByRole("button", { name: "Answer again" }).click();
    await expect(page.getByTestId("versions")).toHaveText("2 / 2", { timeout: 30_000 });
    await desk.waitForAnswer();
    await page.getByRole("button", { name: "All figures of this answer" }).last().press("Enter");
    await expect(desk.lastAnswer.getByText(/^first word after/)).toBeVisible();
    await page.getByRole("button", { name: /^cache .* for 2,048 tokens/ }).press("Enter");
    await expect(page.getByText("the keys and values of each token")).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Other settings for this answer" }).click();
    await expect(page.getByRole("combobox", { name: "Budget" })).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await page.keyboard.press("Control+f");
    await page.keyboard.type("warehouse");
    await expect(page.getByTestId("find-mark").first()).toBeVisible();
    await page.keyboard.press("Control+Shift+F");
    await page.keyboard.type("bergen");
    await expect(page.getByRole("list", { name: "Found in conversations" }).getByRole("button").first()).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await page.keyboard.press("Control+e");
    await expect(page.getByRole("radio", { name: "Markdown" })).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Compare with a kept cache" }).click();
    await page.getByTestId("compare").getByRole("button", { name: "Compare" }).click();
    await expect(page.getByTestId("compare-sum")).toBeVisible({ timeout: 60_000 });
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: /^What is stored in Bergen/ }).focus();
    await page.keyboard.press("Delete");
    await expect(page.getByTestId("undo-deletion")).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
  });
}
