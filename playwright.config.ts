import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "test/e2e",
  testMatch: "**/*.test.ts",
  outputDir: "test-results",
  globalSetup: "./test/e2e/support/globalSetup.ts",
  // Each test starts an app that computes on all cores.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env["CI"]),
  timeout: 90_000,
  expect: {
    timeout: 15_000,
    // Another FreeType draws every letter's edge a little otherwise; a panel that is missing or a wrong theme is far more than this.
    toHaveScreenshot: { animations: "disabled", caret: "hide", scale: "css", threshold: 0.3, maxDiffPixelRatio: 0.01 },
  },
  // The same pictures for every system: see test/e2e/screenshots.test.ts.
  snapshotPathTemplate: "{testDir}/screenshots/{arg}{ext}",
  reporter: [["list"]],
});
