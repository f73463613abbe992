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
    // Measured at 1280×800, with this threshold: without hinting letters differ in 177 pixels, without the sentence in an empty library
    // in 964, without the budget's row in 23,807, in the other theme in 1,000,249. The ratio lets 819 pass.
    toHaveScreenshot: { animations: "disabled", caret: "hide", scale: "css", threshold: 0.3, maxDiffPixelRatio: 0.0008 },
  },
  // The same pictures for every system: see test/e2e/screenshots.test.ts.
  snapshotPathTemplate: "{testDir}/screenshots/{arg}{ext}",
  reporter: [["list"]],
});
