import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appFilePath, serveFolder } from "../../../electron/main/appFiles.ts";

let parent = "";
let root = "";

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "longsight files 'ü' "));
  root = join(parent, "renderer");
  await mkdir(join(root, "assets"), { recursive: true });
  await mkdir(join(parent, "renderer-other"));
  await writeFile(join(root, "index.html"), "<p>page</p>");
  await writeFile(join(root, "assets", "größe 1.js"), "1");
  await writeFile(join(root, "assets", "pdfium.wasm"), "wasm");
  await writeFile(join(root, "assets", "secret.pem"), "secret");
  await writeFile(join(parent, "outside.txt"), "outside");
  await writeFile(join(parent, "renderer-other", "outside.txt"), "outside");
});

afterAll(async () => {
  await rm(parent, { recursive: true, force: true });
});

describe("the window's own files", () => {
  it("finds files below the folder, with encoded names", () => {
    expect(
      ["longsight://app", "longsight://app/", "longsight://app/assets/gr%C3%B6%C3%9Fe%201.js?v=1#top"].map((address) =>
        appFilePath(root, address),
      ),
    ).toEqual([join(root, "index.html"), join(root, "index.html"), join(root, "assets", "größe 1.js")]);
  });

  it.each([
    "longsight://app/%2e%2e/outside.txt/../../outside.txt",
    "longsight://app/..%2foutside.txt",
    "longsight://app/%2e%2e%2foutside.txt",
    "longsight://app/assets/..%2f..%2foutside.txt",
    "longsight://app/..%2frenderer-other%2foutside.txt",
    "longsight://app/..%5coutside.txt",
    "longsight://app/outside.txt%00.html",
    "longsight://app/%",
    "longsight://other/index.html",
    "https://app/index.html",
    "index.html",
  ])("serves nothing for %s", async (address) => {
    const { status, body } = await serveFolder(root)({ method: "GET", url: address });
    expect({ status, body: body.toString() }).toEqual({ status: 404, body: "There is no such file." });
  });

  it("sends type and policy with every file", async () => {
    const answer = serveFolder(root);
    const replies = await Promise.all(
      ["index.html", "assets/pdfium.wasm", "assets/missing.js"].map((name) => answer({ method: "GET", url: `longsight://app/${name}` })),
    );
    expect(replies.map(({ status, headers }) => [status, headers["Content-Type"], headers["X-Content-Type-Options"]])).toEqual([
      [200, "text/html; charset=utf-8", "nosniff"],
      [200, "application/wasm", "nosniff"],
      [404, "text/plain; charset=utf-8", "nosniff"],
    ]);
    for (const { headers } of replies) {
      const policy = headers["Content-Security-Policy"] ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
    }
  });

  it("serves neither other methods nor kinds of files that the window has no use for", async () => {
    const answer = serveFolder(root);
    const statuses = [
      await answer({ method: "POST", url: "longsight://app/index.html" }),
      await answer({ method: "HEAD", url: "longsight://app/index.html" }),
      await answer({ method: "GET", url: "longsight://app/assets/secret.pem" }),
      await answer({ method: "GET", url: "longsight://app/assets" }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([405, 405, 404, 404]);
  });
});
