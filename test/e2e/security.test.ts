import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { root } from "../../scripts/files.mjs";
import { dropFiles } from "./support/drop.ts";
import { test as base, expect, type Longsight } from "./support/longsight.ts";

type Listener = { readonly origin: string; readonly port: number; readonly connections: () => number };

/** A server on this machine that counts who connects: nobody should. */
const test = base.extend<{ listener: Listener }>({
  listener: async ({ playwright: _ }, use) => {
    let connections = 0;
    const server: Server = createServer((_request, reply) => {
      reply.setHeader("Access-Control-Allow-Origin", "*");
      reply.end("<p>reached</p>");
    });
    server.on("connection", () => {
      connections += 1;
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address: AddressInfo | string | null = server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port.");
    await use({ origin: `http://127.0.0.1:${address.port}`, port: address.port, connections: () => connections });
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  },
});

async function stillOurs(longsight: Longsight): Promise<void> {
  await expect.poll(() => longsight.page.url()).toMatch(/^longsight:\/\/app\/index\.html/);
  expect(await longsight.electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  await expect.poll(() => longsight.page.evaluate(() => typeof window.longsight).catch(() => "between pages")).toBe("object");
}

test("the page has no Node, no Electron, and three functions of ours", async ({ start }) => {
  const { page, electronApp } = await start();
  expect(
    await page.evaluate(() => ({
      node: ["require", "process", "module", "Buffer", "global", "__dirname"].filter((name) => name in window),
      bridge: Object.keys(window.longsight).sort(),
      frozen: Object.isFrozen(window.longsight),
    })),
  ).toEqual({ node: [], bridge: ["onShellEvent", "pathOfFile", "platform", "shell"], frozen: true });
  const preferences = await electronApp.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    return contents && "getLastWebPreferences" in contents && typeof contents.getLastWebPreferences === "function"
      ? contents.getLastWebPreferences()
      : null;
  });
  expect(preferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, webSecurity: true });
  for (const name of ["webviewTag", "nodeIntegrationInWorker", "nodeIntegrationInSubFrames", "allowRunningInsecureContent"]) {
    expect([name, Boolean(Reflect.get(preferences ?? {}, name))]).toEqual([name, false]);
  }
});

test("every file comes with the policy, and code of strangers does not run", async ({ start }) => {
  const { page } = await start();
  const policy = await page.evaluate(async () => (await fetch("longsight://app/index.html")).headers.get("Content-Security-Policy"));
  expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';");
  const ran = await page.evaluate(async () => {
    const found: string[] = [];
    const mark = (name: string) => Object.assign(window, { [name]: () => found.push(name) });
    for (const name of ["inline", "handler", "blobbed", "javascriptLink"]) mark(name);
    const script = document.createElement("script");
    script.textContent = "window.inline()";
    document.body.append(script);
    const blobScript = document.createElement("script");
    blobScript.src = URL.createObjectURL(new Blob(["window.blobbed()"], { type: "text/javascript" }));
    document.body.append(blobScript);
    const holder = document.createElement("div");
    holder.innerHTML = '<img src="data:," onerror="window.handler()"><a href="javascript:window.javascriptLink()">x</a>';
    document.body.append(holder);
    holder.querySelector("a")?.click();
    // In a task of its own: the debugger that carries this test may evaluate what it likes.
    setTimeout(() => {
      try {
        Reflect.construct(Function, ["return 1"])();
        found.push("eval");
      } catch {
        // refused, as it should be
      }
    }, 0);
    await new Promise((done) => setTimeout(done, 300));
    for (const element of [script, blobScript, holder]) element.remove();
    return found;
  });
  expect(ran).toEqual([]);
});

test("files outside the window's own folder are not served", async ({ start }) => {
  const { page } = await start();
  const statuses = await page.evaluate(async () => {
    const addresses = [
      "..%2fmain%2fmain.cjs",
      "%2e%2e/main/main.cjs",
      "..%5cmain%5cmain.cjs",
      "assets/..%2f..%2f..%2fpackage.json",
      "missing.js",
    ];
    return Promise.all(addresses.map(async (address) => (await fetch(`longsight://app/${address}`)).status));
  });
  expect(statuses).toEqual([404, 404, 404, 404, 404]);
  const refused = await page.evaluate(async () => {
    const attempts = ["longsight://other/index.html", "file:///etc/hostname"].map((address) =>
      fetch(address).then(
        () => "loaded",
        () => "refused",
      ),
    );
    const posted = await fetch("longsight://app/index.html", { method: "POST" });
    return [...(await Promise.all(attempts)), posted.status];
  });
  expect(refused).toEqual(["refused", "refused", 405]);
});

test("nothing leaves: neither by the page's own means nor with its policy taken away", async ({ start, listener }) => {
  const { page, electronApp } = await start();
  const attempt = (origin: string) =>
    page.evaluate(async (target) => {
      const settle = (promise: Promise<unknown>) =>
        promise.then(
          () => "reached",
          () => "refused",
        );
      const element = (tag: "img" | "script" | "iframe" | "link", attributes: Record<string, string>) =>
        settle(
          new Promise((done, fail) => {
            const made = document.createElement(tag);
            made.addEventListener("load", done);
            made.addEventListener("error", fail);
            for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
            document.body.append(made);
            setTimeout(() => {
              made.remove();
              fail(new Error("nothing came"));
            }, 1000);
          }),
        );
      const socket = settle(
        new Promise((done, fail) => {
          const made = new WebSocket(target.replace("http", "ws"));
          made.onopen = done;
          made.onerror = fail;
        }),
      );
      navigator.sendBeacon(`${target}/beacon`, "text");
      const form = document.createElement("form");
      form.action = target;
      form.method = "post";
      document.body.append(form);
      form.submit();
      form.remove();
      const results = await Promise.all([
        settle(fetch(target)),
        settle(fetch(target, { mode: "no-cors" })),
        socket,
        element("img", { src: `${target}/a.png` }),
        element("script", { src: `${target}/a.js` }),
        element("link", { rel: "stylesheet", href: `${target}/a.css` }),
        element("link", { rel: "prefetch", href: `${target}/b` }),
      ]);
      return results.filter((result) => result === "reached").length;
    }, origin);

  expect(await attempt(listener.origin)).toBe(0);
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await page.reload();
  expect(await attempt(listener.origin)).toBe(0);

  // The page's policy and the request filter both gone: names still have no address.
  await electronApp.evaluate(({ session: { defaultSession } }) => defaultSession.webRequest.onBeforeRequest(null));
  expect(await attempt(`http://localhost:${listener.port}`)).toBe(0);
  expect(await attempt("https://example.com")).toBe(0);
  expect(listener.connections()).toBe(0);

  // The listener can be reached, so the zeros above mean something.
  await fetch(listener.origin);
  expect(listener.connections()).toBe(1);
});

test("the window stays on its own page", async ({ start, listener }) => {
  const longsight = await start();
  const { page } = longsight;
  const addresses = [
    listener.origin,
    "https://example.com/?next=longsight://app/",
    "longsight://app.example.com/index.html",
    "longsight://other/index.html",
    "file:///etc/hostname",
    "data:text/html,<p>data</p>",
    "javascript:document.write('gone')",
    "about:blank",
  ];
  for (const address of addresses) {
    await page
      .evaluate((target) => {
        const link = document.createElement("a");
        link.href = target;
        document.body.append(link);
        link.click();
        link.target = "_blank";
        link.click();
        link.remove();
        window.open(target);
        window.location.assign(target);
      }, address)
      .catch(() => undefined);
    await page.waitForTimeout(150);
    await stillOurs(longsight);
  }
  await dropFiles(page, "body", [join(root, "package.json")]);
  await page.waitForTimeout(300);
  await stillOurs(longsight);
  expect(listener.connections()).toBe(0);
});

test("a page gets no permission but writing to the clipboard", async ({ start }) => {
  const { page } = await start();
  const answers = await page.evaluate(async () => {
    const outcome = (promise: Promise<unknown>) =>
      promise.then(
        () => "granted",
        () => "denied",
      );
    return {
      notifications: await Notification.requestPermission(),
      camera: await outcome(navigator.mediaDevices.getUserMedia({ video: true })),
      microphone: await outcome(navigator.mediaDevices.getUserMedia({ audio: true })),
      screen: await outcome(navigator.mediaDevices.getDisplayMedia({ video: true })),
      place: await outcome(new Promise((done, fail) => navigator.geolocation.getCurrentPosition(done, fail))),
      clipboardRead: await outcome(navigator.clipboard.readText()),
      clipboardWrite: await outcome(navigator.clipboard.writeText("an answer")),
    };
  });
  expect(answers).toEqual({
    notifications: "denied",
    camera: "denied",
    microphone: "denied",
    screen: "denied",
    place: "denied",
    clipboardRead: "denied",
    clipboardWrite: "granted",
  });
});

test("messages of another window are refused, with our preload and our page alike", async ({ start }) => {
  const { electronApp } = await start();
  const replies = await electronApp.evaluate(async ({ app, BrowserWindow }) => {
    const preload = `${app.getAppPath()}/out/preload/preload.cjs`;
    const stranger = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
    await stranger.loadURL("longsight://app/index.html");
    const shell: unknown = await stranger.webContents.executeJavaScript(
      'window.longsight.shell("getSettings", {}).then(() => "answered", () => "refused")',
    );
    const engine: unknown = await stranger.webContents.executeJavaScript(`new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done("answered");
      window.postMessage({ type: "longsight:engine-call", call: { method: "about", payload: {} } }, window.location.origin, [port2]);
      setTimeout(() => done("silence"), 1500);
    })`);
    stranger.destroy();
    return { shell, engine };
  });
  expect(replies).toEqual({ shell: "refused", engine: "silence" });
});

test("a link is opened only if it is https and the person agrees to its address", async ({ start }) => {
  const longsight = await start();
  await longsight.electronApp.evaluate(({ dialog, shell }) => {
    const seen = { asked: [], opened: [] } satisfies { asked: unknown[]; opened: unknown[] };
    Object.assign(globalThis, { seen, answer: 1 });
    Object.assign(dialog, {
      showMessageBox: async (_window: unknown, { detail }: { detail: string }) => {
        Object.assign(seen, { asked: [...seen.asked, detail.split("\n")[0]] });
        return { response: Reflect.get(globalThis, "answer"), checkboxChecked: false };
      },
    });
    Object.assign(shell, {
      openExternal: async (address: string) => {
        Object.assign(seen, { opened: [...seen.opened, address] });
      },
    });
  });
  for (const address of ["http://example.com/", "file:///etc/hostname", "javascript:alert(1)", "https://a@b.example/", "smb://x/"]) {
    expect(await longsight.shell("openLink", { address })).toMatchObject({ ok: false, problem: { code: "not-supported" } });
  }
  expect(await longsight.shell("openLink", { address: "https://example.com/no" })).toEqual({ ok: true, value: { opened: false } });
  await longsight.electronApp.evaluate(() => Object.assign(globalThis, { answer: 0 }));
  expect(await longsight.shell("openLink", { address: "https://example.com/ü" })).toEqual({ ok: true, value: { opened: true } });
  expect(await longsight.electronApp.evaluate(() => Reflect.get(globalThis, "seen"))).toEqual({
    asked: ["https://example.com/no", "https://example.com/%C3%BC"],
    opened: ["https://example.com/%C3%BC"],
  });
});
