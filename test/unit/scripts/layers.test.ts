import { describe, expect, it } from "vitest";
import { checkLayers } from "../../../scripts/layers.mjs";

const check = (file: string, text: string) => checkLayers([{ file, text }]);

describe("layers", () => {
  it.each([
    ["electron/contract/engine.ts", 'import { z } from "zod";\nimport { a } from "./model.ts";'],
    ["electron/preload/preload.ts", 'import { ipcRenderer } from "electron";\nimport { channels } from "../contract/shell.ts";'],
    ["electron/main/main.ts", 'import { join } from "node:path";\nimport { cacheFolder } from "../engine/folders.ts";'],
    ["electron/cli/main.ts", 'import { createEngine } from "../engine/engine.ts";'],
    ["electron/engine/llama/runtime.ts", 'const m = await import("node-llama-cpp");\nimport type { L } from "node-llama-cpp";'],
    [
      "electron/engine/models.ts",
      'import { load } from "./llama/model.ts";\nimport about from "../../package.json" with { type: "json" };',
    ],
    [
      "renderer/app/app.tsx",
      'import { useState } from "react";\nimport { a } from "../../electron/contract/model.ts";\nimport "./app.css";',
    ],
    ["renderer/pages/pdfium.ts", 'import address from "@embedpdf/pdfium/pdfium.wasm?url";\nimport sample from "../../assets/sample.svg";'],
    ["renderer/vite.config.ts", 'import { defineConfig } from "vite";\nimport { join } from "node:path";'],
  ])("%s may import what it does here", (file, text) => {
    expect(check(file, text)).toEqual([]);
  });

  it.each([
    ["a package in the contract", "electron/contract/a.ts", 'import React from "react";'],
    ["Node in the contract", "electron/contract/a.ts", 'import { join } from "node:path";'],
    ["the engine in the contract", "electron/contract/a.ts", 'import { a } from "../engine/engine.ts";'],
    ["data in the contract", "electron/contract/a.ts", 'import about from "../../package.json";'],
    ["the engine in the window", "renderer/a.ts", 'import { a } from "../electron/engine/engine.ts";'],
    ["main in the window, as a type", "renderer/a.ts", 'import type { A } from "../electron/main/main.ts";'],
    ["electron in the window", "renderer/a.ts", 'import { ipcRenderer } from "electron";'],
    ["Node in the window", "renderer/a.ts", 'import { join } from "node:path";'],
    ["SQLite in the window", "renderer/a.ts", 'import Database from "libsql";'],
    ["electron in the engine", "electron/engine/a.ts", 'import { app } from "electron";'],
    ["node-llama-cpp beside llama", "electron/engine/a.ts", 'import { getLlama } from "node-llama-cpp";'],
    ["node-llama-cpp in a sub-path", "electron/engine/a.ts", 'import { x } from "node-llama-cpp/dist/x.js";'],
    ["main in the engine", "electron/engine/a.ts", 'import { a } from "../main/settings.ts";'],
    ["llama in main", "electron/main/a.ts", 'import { a } from "../engine/llama/runtime.ts";'],
    ["the window in main", "electron/main/a.ts", 'import { a } from "../../renderer/app/app.tsx";'],
    ["main in the command line", "electron/cli/a.ts", 'import { a } from "../main/main.ts";'],
    ["electron in the command line", "electron/cli/a.ts", 'import { a } from "electron/main";'],
    ["main in preload", "electron/preload/a.ts", 'import { a } from "../main/main.ts";'],
    ["scripts in main", "electron/main/a.ts", 'import { cacheFolder } from "../../scripts/cache.mjs";'],
    ["an address", "renderer/a.ts", 'import "https://example.org/a.js";'],
    ["an absolute path", "electron/engine/a.ts", 'import "/etc/a.js";'],
    ["a re-export", "electron/contract/a.ts", 'export * from "../engine/engine.ts";'],
    ["a named re-export", "electron/contract/a.ts", 'export { a } from "../engine/engine.ts";'],
    ["import()", "electron/engine/a.ts", 'export const a = () => import("electron");'],
    ["import() with a template", "electron/engine/a.ts", "export const a = () => import(`electron`);"],
    ["a computed import()", "electron/engine/a.ts", 'export const a = (b: string) => import("elec" + b);'],
    ["require()", "electron/engine/a.ts", 'declare const require: (a: string) => unknown;\nexport const a = require("electron");'],
    ["an import type", "renderer/a.ts", 'export type A = import("electron").App;'],
    ["import = require()", "renderer/a.ts", 'import a = require("electron");\nexport { a };'],
  ])("refuses %s", (_what, file, text) => {
    const problems = check(file, text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${file.replaceAll(".", "\\.")}:\\d+ \\S`));
  });

  it("names the line and both layers", () => {
    expect(check("renderer/a.ts", '\n\nimport { a } from "../electron/engine/engine.ts";')).toEqual([
      "renderer/a.ts:3 imports electron/engine/engine.ts: renderer may not import engine",
    ]);
  });

  it("refuses a file in a folder that is no layer", () => {
    expect(check("electron/other/a.ts", "export {};")).toEqual(["electron/other/a.ts:1 is in no layer"]);
  });
});
