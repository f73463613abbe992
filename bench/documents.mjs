// What opening and closing documents leaves in memory: private memory of every process of the app, before and after 50 of them. Each is dropped
// on the window, drawn, and taken out of the conversation again. Wanted: growth below 50 MB.
//
//   npm run bench -- documents [--documents N] [--rounds N]
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/files.mjs";
import { median, writeResults } from "./figures.mjs";
import { prepareWindow, startApp } from "./window/app.mjs";
import { measureMemory, measurePage } from "./window/memory.mjs";

const { values: options } = parseArgs({
  options: { documents: { type: "string", default: "50" }, rounds: { type: "string", default: "1" } },
});
const [wanted, rounds] = [options.documents, options.rounds].map(Number);
const wantedGrowth = 50e6;
/** Opened and closed first: what is made once for all documents (PDFium, allocators) is no growth. */
const warmUps = 3;
/** Bytes of the files that are opened: none that takes minutes, none that is nothing. */
const sizes = { least: 8_000, most: 4_000_000 };

/** Real PDFs where there are any, evenly from the list by name; else made ones. */
async function documentsIn(folder, tools) {
  const base = process.env.LONGSIGHT_DATA ? resolve(process.env.LONGSIGHT_DATA) : join(root, "..", "shared", "data");
  const found = [];
  for (const part of ["small", "long"]) {
    const place = join(base, "A_pdf", part);
    for (const name of (await readdir(place).catch(() => [])).filter((file) => file.endsWith(".pdf")).sort()) {
      const { size } = await stat(join(place, name));
      if (size >= sizes.least && size <= sizes.most) found.push(join(place, name));
    }
  }
  if (found.length >= wanted) return { kind: "real", paths: found };
  const paths = [];
  for (let number = 0; number < wanted + warmUps; number += 1) {
    const path = join(folder, `made-${number}.pdf`);
    await writeFile(path, await tools.madePdf(20, number * 1000));
    paths.push(path);
  }
  return { kind: "made", paths };
}

/** Drops a file on the window, as the desktop would. */
async function dropFile(page, path) {
  const box = await page.getByTestId("drop-area").boundingBox();
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await session.send("Input.dispatchDragEvent", { type, ...at, data });
  await session.detach();
}

/** Opens a document, waits until its first page is drawn, and closes it. @returns whether it could be opened */
async function openAndClose(page, path) {
  await dropFile(page, path);
  const chip = page.getByRole("button", { name: `Take ${basename(path)} out of this conversation` });
  // One that does not fit asks what to do, and behind that question nothing has a role.
  const joined = chip.or(page.getByRole("dialog")).first();
  const drawn = page.locator('[data-testid="page-canvas"]:not([data-state="waiting"])').first();
  const refused = page.locator('.openings [data-testid="document-notice"], .openings [data-testid="password-input"]').first();
  const isOpen = await Promise.race([
    Promise.all([joined.waitFor({ timeout: 180_000 }), drawn.waitFor({ timeout: 180_000, state: "attached" })]).then(() => true),
    refused.waitFor({ timeout: 180_000 }).then(() => false),
  ]);
  if (isOpen) {
    // Its text, its thumbnail and the count of its tokens come after its picture. One that does not fit asks what to do.
    await page.waitForTimeout(500);
    const counted = page.locator('[data-testid="token-meter"][data-fits]').first();
    const textless = page.getByText(/no text/i).first();
    await Promise.race([counted, textless].map((one) => one.waitFor({ timeout: 180_000 })));
    const dialog = page.getByRole("dialog");
    if ((await counted.count()) > 0 && (await counted.getAttribute("data-fits")) === "false") await dialog.waitFor({ timeout: 10_000 });
    if (await dialog.isVisible()) await page.keyboard.press("Escape");
  }
  if (isOpen) await chip.click();
  else
    await page
      .locator(".openings")
      .getByRole("button", { name: /^(Dismiss|Cancel)$/ })
      .first()
      .click();
  await page.getByRole("list", { name: "Documents in this conversation" }).waitFor({ state: "detached", timeout: 30_000 });
  return isOpen;
}

async function measure({ electron, env, app, documents, tools }) {
  const data = await mkdtemp(join(tmpdir(), "longsight-documents-"));
  try {
    await tools.writeSettings(data, { contextLength: 16_384 });
    const started = await startApp({ electron, env, app, data });
    const { page } = started;
    try {
      await page.getByRole("banner").getByText("ready").waitFor({ timeout: 120_000 });
      const waiting = [...documents.paths];
      const refused = [];
      const openNext = async () => {
        for (;;) {
          const path = waiting.shift();
          if (path === undefined) throw new Error("There are not enough documents that can be opened.");
          if (await openAndClose(page, path)) return basename(path);
          refused.push(basename(path));
        }
      };
      for (let number = 0; number < warmUps; number += 1) await openNext();
      const before = await measureMemory(started);
      const pageBefore = await measurePage(started);
      const steps = [];
      const opened = [];
      for (let number = 1; number <= wanted; number += 1) {
        opened.push(await openNext());
        if (number % 10 === 0 || number === wanted) {
          steps.push({ documents: number, bytes: await measureMemory(started), page: await measurePage(started) });
          const { bytes, page: held } = steps.at(-1);
          const heap = `the window's heap ${megabytes(held.heap - pageBefore.heap)} MB, ${held.nodes - pageBefore.nodes} nodes`;
          console.error(`  ${number} documents: ${describe(growthOf(before, bytes))} (${heap}, ${held.workers} workers)`);
        }
      }
      if (started.faults.length > 0) throw new Error(`The window had faults:\n${started.faults.join("\n")}`);
      return { load: loadavg()[0], before, pageBefore, steps, growth: growthOf(before, steps.at(-1).bytes), opened, refused };
    } finally {
      await started.app.close();
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

function growthOf(before, after) {
  return Object.fromEntries(Object.keys(before).map((role) => [role, after[role] - before[role]]));
}

const megabytes = (bytes) => Math.round(bytes / 1e5) / 10;
const describe = (growth) =>
  Object.entries(growth)
    .map(([role, bytes]) => `${role} ${megabytes(bytes)} MB`)
    .join(", ");

const { electron, tools, env, app, end } = await prepareWindow();
const made = join(app, "documents");
const runs = [];
try {
  await mkdir(made);
  const documents = await documentsIn(made, tools);
  console.error(`${wanted} ${documents.kind} documents, out of ${documents.paths.length}`);
  for (let round = 1; round <= rounds; round += 1) {
    runs.push({ documents: documents.kind, ...(await measure({ electron, env, app, documents, tools })) });
    console.error(`round ${round} of ${rounds}: ${describe(runs.at(-1).growth)}`);
  }
} finally {
  await end();
}
const growth = Object.fromEntries(Object.keys(runs[0].growth).map((role) => [role, median(runs.map((run) => run.growth[role]))]));
const verdict = growth.all < wantedGrowth ? "met" : "NOT MET";
console.log(`${wanted} documents opened and closed, medians of ${rounds} rounds, private memory grew: ${describe(growth)}`);
console.log(`wanted: below ${megabytes(wantedGrowth)} MB in all: ${verdict}`);
const command = `npm run bench -- documents --documents ${wanted} --rounds ${rounds}`;
const results = { command, electron: `${electron.version} (${electron.source})`, wantedGrowth, growth, runs };
console.log(`raw figures: ${await writeResults("documents", results)}`);
