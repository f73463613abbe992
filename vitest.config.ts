import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // More would only take turns with the processes that the tests start.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/unit/**/*.test.tsx", "test/unit/**/*.test.mjs"],
          environment: "node",
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "engine",
          include: ["test/engine/**/*.test.ts"],
          environment: "node",
          // A model takes all cores: one file at a time, each in a process of its own so that a native crash names its file.
          pool: "forks",
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
