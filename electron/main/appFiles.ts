import { readFile } from "node:fs/promises";
import { extname, resolve, sep } from "node:path";
import { isAppAddress } from "./addresses.ts";

/** What the window may load and do; sent with every file, so that workers have it as well. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  // PDFium is WebAssembly, compiled in a worker.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

export type AppRequest = { readonly method: string; readonly url: string };
export type AppResponse = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

/**
 * The file that an address of the window's own scheme stands for, or null where it stands for none: a foreign scheme or host,
 * a path that leaves `root` (encoded or not), a path with a NUL or a backslash.
 */
export function appFilePath(root: string, address: string): string | null {
  if (!isAppAddress(address)) return null;
  let path: string;
  try {
    path = decodeURIComponent(new URL(address).pathname);
  } catch {
    return null;
  }
  if (path.includes("\0") || path.includes("\\")) return null;
  const base = resolve(root);
  const file = resolve(base, `.${path === "/" || path === "" ? "/index.html" : path}`);
  return file.startsWith(base.endsWith(sep) ? base : base + sep) ? file : null;
}

function respond(status: number, type: string, body: Buffer | string, policy: string): AppResponse {
  const headers = {
    "Content-Type": type,
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
  };
  return { status, headers, body: typeof body === "string" ? Buffer.from(body) : body };
}

/** Answers requests for the window's files from the folder `root`. Only GET, and nothing outside `root`. */
export function serveFolder(root: string): (request: AppRequest) => Promise<AppResponse> {
  return async ({ method, url }) => {
    const plain = "text/plain; charset=utf-8";
    if (method !== "GET") return respond(405, plain, "Only GET is served.", contentSecurityPolicy);
    const file = appFilePath(root, url);
    const type = file === null ? undefined : mediaTypes[extname(file).toLowerCase()];
    if (file === null || type === undefined) return respond(404, plain, "There is no such file.", contentSecurityPolicy);
    try {
      return respond(200, type, await readFile(file), contentSecurityPolicy);
    } catch {
      return respond(404, plain, "There is no such file.", contentSecurityPolicy);
    }
  };
}
