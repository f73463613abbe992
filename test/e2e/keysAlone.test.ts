import type { Page } from "@playwright/test";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, type StartOptions, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

// Each asks once or twice.
test.setTimeout(240_000);

type Start = (options?: StartOptions) => Promise<{ readonly page: Page }>;

/** A document about which one question was answered from 96 tokens per head. */
async function answeredFromBudget(start: Start, userData: string): Promise<Desk> {
  await writeSettings(userData, { maxTokens: 12 }, { contextLength: 2048, budget: 96, policy: "snapkv" });
  const path = await writeTextPdf(userData, "list.pdf", facts(40));
  const { page } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  await desk.ask("What is stored in Bergen?");
  await desk.waitForAnswer();
  return desk;
}

/** Presses a key until something has the focus. */
async function pressUntil(page: Page, key: string, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${selector}`);
}

test("no key takes the window out of place or the focus away", async ({ start, userData }) => {
  const desk = await answeredFromBudget(start, userData);
  const { page } = desk;

  // The budget: what is typed after a step of the slider holds.
  await page.getByRole("slider", { name: "Budget" }).focus();
  await page.keyboard.press("ArrowRight");
  const field = page.getByRole("spinbutton", { name: "Budget in tokens per head" });
  await expect(field).toHaveValue("128");
  await page.keyboard.press("Tab");
  await page.keyboard.type("112");
  await page.keyboard.press("Tab");
  await expect(field).toHaveValue("112");
  await expect(page.getByRole("slider", { name: "Budget" })).toHaveAttribute("data-budget", "112");

  // The inspector: to the radio buttons above its grid and through it, with all of the window where it was.
  await page.getByRole("tab", { name: "Inspector" }).press("ArrowRight");
  await page.getByRole("tab", { name: "Conversation" }).press("ArrowRight");
  const inspector = page.getByTestId("inspector");
  await expect(inspector).toBeVisible();
  const header = page.locator(".top-bar");
  const before = await header.boundingBox();
  await pressUntil(page, "Tab", '[name="measure"]');
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  expect(await header.boundingBox()).toEqual(before);

  // F6 goes round all panes that are there, from beside them to the next.
  await page.keyboard.press("F6");
  await expect(page.locator('[data-pane="library"]')).toBeFocused();
  await page.keyboard.press("F6");
  await expect(page.locator('[data-pane-focus="pages"]')).toBeFocused();
  await page.keyboard.press("F6");
  await expect(page.locator('[data-pane="inspector"]')).toBeFocused();
  await page.keyboard.press("Shift+F6");
  await expect(page.locator('[data-pane-focus="pages"]')).toBeFocused();
  await page.getByRole("tab", { name: "Inspector" }).focus();
  await page.keyboard.press("F6");
  await expect(page.locator('[data-pane="inspector"]')).toBeFocused();

  // Everything of the document, and nothing of the window around it.
  await page.locator('[data-pane-focus="pages"]').focus();
  await page.keyboard.press("Control+A");
  const selected = await page.evaluate(() => document.getSelection()?.toString() ?? "");
  expect(selected).toContain("Warehouse 2 in Cork");
  expect(selected).not.toContain("Documents");

  // A button with a picture alone is named where the Tab key comes to it.
  await pressUntil(page, "Shift+Tab", '[aria-label="Find in the document"]');
  await expect(page.getByTestId("focus-hint")).toHaveText("Find in the document");
  await page.keyboard.press("F6");
  await expect(page.getByTestId("focus-hint")).toHaveCount(0);

  // A menu begins at what is chosen: Enter twice changes nothing.
  await page.getByRole("button", { name: "Policy: SnapKV" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "SnapKV", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Policy: SnapKV" })).toBeFocused();

  // A new conversation is shown, and asked in at once. It says which document it takes over.
  await page.keyboard.press("Control+N");
  await expect(desk.question).toBeFocused();
  await expect(page.getByText("Ask anything about “list.pdf”.")).toBeVisible();
});

test("the focus stays near what was taken away under it", async ({ start, userData }) => {
  const desk = await answeredFromBudget(start, userData);
  const { page } = desk;

  // Asked again by the popover, whose button goes for as long as the answer is written.
  await page.getByRole("button", { name: "Other settings for this answer" }).press("Enter");
  await page.getByRole("button", { name: "Ask again", exact: true }).press("Enter");
  await expect(page.getByTestId("versions")).toHaveText("2 / 2", { timeout: 30_000 });
  await desk.waitForAnswer();
  await expect(desk.question).toBeFocused();

  await expect(page.getByTestId("heat-bar")).not.toContainText("The last answer itself");

  // Asked otherwise: a third version; then from version to version, and at the end back.
  await page.getByRole("button", { name: "Edit the question" }).press("Enter");
  await page.keyboard.type("What is stored in Cork?");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("versions")).toHaveText("3 / 3", { timeout: 30_000 });
  await desk.waitForAnswer();
  await expect(desk.question).toBeFocused();
  const previous = page.getByRole("button", { name: "Previous version" });
  await previous.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("versions")).toHaveText("2 / 3");
  await expect(previous).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("versions")).toHaveText("1 / 3");
  await expect(page.getByRole("button", { name: "Next version" })).toBeFocused();

  // By another policy: the heat is still the bar's, and says so.
  await page.getByRole("button", { name: "Other settings for this answer" }).press("Enter");
  await page.getByRole("combobox", { name: "Budget" }).selectOption("full");
  await page.getByRole("button", { name: "Ask again", exact: true }).press("Enter");
  await expect(page.getByTestId("versions")).toHaveText("4 / 4", { timeout: 30_000 });
  await desk.waitForAnswer();
  await expect(page.getByTestId("heat-bar")).toContainText("The last answer itself kept everything.");
  await expect(page.getByRole("button", { name: "Compare with a kept cache" })).toBeVisible();

  // A conversation renamed, and a document taken out.
  await page.locator(".library-button[aria-current]").last().focus();
  await page.keyboard.press("F2");
  await page.keyboard.type("Stores");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Stores/ })).toBeFocused();

  // From row to row of the list.
  await page.keyboard.press("Control+N");
  await page.keyboard.press("Control+Shift+F");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("button", { name: /^Stores/ })).toBeFocused();
  await page.keyboard.press("Home");
  await expect(page.getByRole("button", { name: /^New conversation/ }).last()).toBeFocused();
  await page.getByRole("button", { name: "Take list.pdf out of this conversation" }).press("Enter");
  await expect(desk.question).toBeFocused();
});

test("a key right behind the one that closes a menu, a popover or a dialog has its effect", async ({ start, userData }) => {
  const desk = await answeredFromBudget(start, userData);
  const { page } = desk;
  const find = page.locator('[data-search="document"]');
  /** Both keys before any timer's turn, as on a busy machine; returns how often the search lost the focus afterwards. */
  const escapeAndFind = async (): Promise<number> =>
    page.evaluate(async () => {
      const press = (init: KeyboardEventInit): void => {
        (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
      };
      press({ key: "Escape" });
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      let losses = 0;
      document.addEventListener("focusout", ({ target }) => {
        if (target instanceof Element && target.matches('[data-search="document"]')) losses += 1;
      });
      press({ key: "f", ctrlKey: true });
      await new Promise((resolve) => setTimeout(resolve, 200));
      return losses;
    });

  for (const opened of [
    page.getByRole("button", { name: "Other settings for this answer" }),
    page.getByRole("button", { name: "Settings and help" }),
    page.locator(".model-button"),
  ]) {
    await opened.press("Enter");
    const layer = page.locator('[role="dialog"], [role="menu"]');
    await expect(layer).toBeVisible();
    expect(await escapeAndFind()).toBe(0);
    await expect(layer).toHaveCount(0);
    await expect(find).toBeFocused();
    await find.press("Escape");
    await expect(find).toHaveCount(0);
  }
});

test("a small window with the largest text scrolls up and down alone, and the search in conversations opens its library", async ({
  start,
  userData,
}) => {
  const desk = await answeredFromBudget(start, userData);
  const { page } = desk;
  await page.setViewportSize({ width: 900, height: 600 });
  await page.keyboard.press("Control+Shift+.");
  await page.keyboard.press("Control+Shift+.");
  await expect(page.locator("html")).toHaveAttribute("data-text-size", "largest");
  const wider = await page.locator(".turns").evaluate((turns) => turns.scrollWidth - turns.clientWidth);
  expect(wider).toBeLessThanOrEqual(0);
  await expect(page.locator('[data-pane="library"]')).toHaveCount(0);
  await desk.question.focus();
  await page.keyboard.press("Control+Shift+F");
  await expect(page.locator('[data-search="conversations"]')).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.locator('[data-pane="library"]')).toHaveCount(0);

  // The figures of the last answer open into view.
  await page.getByRole("button", { name: "All figures of this answer" }).press("Enter");
  await expect(page.locator(".figures-all").last()).toBeInViewport();
});

test("the menu selects what the key does: a field's text, else the document's", async ({ start, userData }) => {
  const path = await writeTextPdf(userData, "list.pdf", facts(5));
  const { electronApp, page } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("list.pdf");
  const byMenu = () => electronApp.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById("select-all")?.click());
  await expect(page.locator(".text-layer")).toContainText("Warehouse 5");
  await page.locator('[data-pane-focus="pages"]').focus();
  await byMenu();
  const selected = () => page.evaluate(() => document.getSelection()?.toString() ?? "");
  await expect.poll(selected).toContain("Warehouse 2 in Cork");
  expect(await selected()).not.toContain("Documents");
  await desk.question.fill("What is stored?");
  await byMenu();
  const marked = () => desk.question.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd));
  await expect.poll(marked).toBe("What is stored?");
});

test("the way back from a deletion stays while it has the focus", async ({ start, userData }) => {
  const path = await writeTextPdf(userData, "list.pdf", facts(5));
  const { page } = await start({ files: [path] });
  await new Desk(page).waitForDocument("list.pdf");
  await page.clock.install();
  await page.locator("[data-conversation] .library-button").press("Delete");
  const bar = page.getByTestId("undo-deletion");
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.clock.fastForward(21_000);
  await page.clock.fastForward(60_000);
  await expect(bar).toBeVisible();
  await page.locator('[data-pane="library"]').focus();
  await page.clock.fastForward(2000);
  await expect(bar).toHaveCount(0);
});
