import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** Serious faults on the page as it is now, one line each. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // By evaluation, as the page's policy lets no script element in.
  await page.evaluate(await readFile(axeFile, "utf8"));
  // A colour on its way to another has no contrast that anyone reads: what ends is waited for, what goes on for ever is not.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"] }),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} at ${target.join(" ")}`));
}
