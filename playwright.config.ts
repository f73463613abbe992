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
  expect: { timeout: 15_000 },
  reporter: [["list"]],
});
