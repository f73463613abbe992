import { expect, type Locator, type Page } from "@playwright/test";
import { seriousFaults } from "./axe.ts";
import type { Longsight } from "./longsight.ts";

/** How the window is looked at. */
export type Look = {
  readonly name: string;
  readonly theme: "light" | "dark";
  /** Pixels of the page. */
  readonly width: number;
  readonly height: number;
};

/** Chromium draws alike whatever the desktop says. */
export const steadySwitches = ["--disable-lcd-text", "--force-color-profile=srgb", "--force-device-scale-factor=1"] as const;

/**
 * One font, which Linux has nearly everywhere, so that lines break alike. What no two runs have in common is not drawn: measured speeds,
 * free memory, where the data lies. (Playwright's own masks need a newer Chromium than Electron 22 has.)
 */
const steadyStyles = `
  body { font-family: "DejaVu Sans", sans-serif !important; }
  .figures [data-part="rate"], .model-needs, .data-path { visibility: hidden; }
`;

/** Brings the window to a look's size, with letters and colours that are the same on every machine. */
export async function steady({ electronApp, page }: Longsight, { width, height }: Look): Promise<void> {
  await electronApp.evaluate(
    async ({ BrowserWindow }, { styles, size }) => {
      const window = BrowserWindow.getAllWindows()[0];
      window?.setContentSize(size.width, size.height);
      await window?.webContents.insertCSS(styles);
    },
    { styles: steadyStyles, size: { width, height } },
  );
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(() => page.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([width, height]);
}

/**
 * Compares the window, or a part of it, with its stored picture, and looks for serious faults. Softly: one run tells of all states.
 * @param part what the state is about, where the rest of the window is in another picture
 */
export async function looksRight(page: Page, look: Look, state: string, part?: Locator): Promise<void> {
  // What the pointer happens to be over, or the keyboard in, is no part of the state.
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined));
  await expect.soft(part ?? page).toHaveScreenshot(`${state}-${look.name}.png`);
  expect.soft(await seriousFaults(page), `${state}, ${look.name}`).toEqual([]);
}
