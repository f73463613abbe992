// Longsight while one works on it: npm run dev [-- FILE…]. Changes of the window show at once; changes of main, preload or
// engine start the app again.
import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import * as esbuild from "esbuild";
import { createServer as createViteServer } from "vite";
import { bundleOptions, bundles, copyBesideWorkers } from "./build.mjs";
import { electronLaunch } from "./electron.mjs";
import { root } from "./files.mjs";
import { callerFolder } from "./run.mjs";
import { setup } from "./setup.mjs";

const out = join(root, "out");
/** Milliseconds of quiet after the last bundle before the app starts again: one save may change several. */
const QUIET_MS = 200;

/** A port that is free on this machine. */
function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** Serves the window's sources on this machine alone. The page itself keeps its own scheme: main passes its requests on. */
async function serveRenderer() {
  const port = await freePort();
  const server = await createViteServer({
    root: join(root, "renderer"),
    configFile: join(root, "renderer", "vite.config.ts"),
    logLevel: "warn",
    server: { host: "127.0.0.1", port, strictPort: true, ws: { protocol: "ws", host: "127.0.0.1", clientPort: port } },
  });
  await server.listen();
  return { address: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Bundles one file now and at every change. @returns the watcher, when the first bundle is there */
async function watchBundle(part, entry, name, onChange) {
  const options = bundleOptions();
  if (part === "preload") delete options.banner;
  let context;
  await new Promise((ready, fail) => {
    let first = true;
    const report = {
      name: "report",
      setup: (build) =>
        build.onEnd(({ errors }) => {
          if (errors.length > 0)
            console.error(errors.map(({ text, location }) => `${location?.file}:${location?.line} ${text}`).join("\n"));
          else if (!first) onChange(part);
          first = false;
          ready();
        }),
    };
    esbuild
      .context({ ...options, plugins: [report], entryPoints: [entry], outfile: join(out, part, name) })
      .then((made) => {
        context = made;
        return made.watch();
      })
      .catch(fail);
  });
  return context;
}

async function dev(files) {
  const { electron } = await setup({ need: ["packages", "native", "model", "electron"], quiet: true });
  if (!electron) throw new Error("npm run dev opens a window, and that needs Electron (see above).");
  const parts = ["main", "preload", "engine"];
  // What is built here is not what a build leaves: the next build must not take it for its own.
  for (const part of parts) await rm(join(out, "stamps", `${part}.json`), { force: true });
  const renderer = await serveRenderer();
  await copyBesideWorkers(join(out, "engine"));

  let child = null;
  let again = false;
  let timer;
  let watchers = [];
  const end = async (code) => {
    clearTimeout(timer);
    await Promise.allSettled([...watchers.map((watcher) => watcher.dispose()), renderer.close()]);
    process.exitCode = code ?? 0;
  };
  const open = () => {
    const { command, args, env } = electronLaunch(electron, files);
    child = spawn(command, args, { env: { ...env, LONGSIGHT_DEV_SERVER: renderer.address }, stdio: "inherit", cwd: root });
    child.once("error", (error) => console.error(error.message));
    child.once("exit", (code) => {
      if (!again) return void end(code);
      again = false;
      open();
    });
  };
  const changed = (part) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      console.error(`${part} has changed: starting again.`);
      again = true;
      child?.kill();
    }, QUIET_MS);
  };
  watchers = await Promise.all(parts.flatMap((part) => bundles[part].map(([entry, name]) => watchBundle(part, entry, name, changed))));
  console.error(`The window's sources are served at ${renderer.address}. Closing the window ends this command.`);
  open();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => child?.kill());
}

try {
  const folder = callerFolder("dev");
  await dev(process.argv.slice(2).map((file) => (file.startsWith("-") ? file : resolve(folder, file))));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
