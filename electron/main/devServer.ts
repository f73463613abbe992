import { get } from "node:http";
import type { App } from "electron";
import { type AppRequest, type AppResponse, contentSecurityPolicy } from "./appFiles.ts";

/** The development server (scripts/dev.mjs), or null. A packaged app has none, whatever its environment says. */
export function devServerAddress(app: App, environment: NodeJS.ProcessEnv): URL | null {
  const address = environment["LONGSIGHT_DEV_SERVER"];
  return app.isPackaged || !address ? null : new URL(address);
}

/** Whether an address is the socket over which the development server tells of changes. */
export function isDevSocket(server: URL | null, address: string): boolean {
  if (server === null) return false;
  const { protocol, host } = new URL(address);
  return protocol === "ws:" && host === server.host;
}

/** Hot reload puts scripts and styles into the page and keeps a socket. */
function devPolicy(server: URL): string {
  return contentSecurityPolicy
    .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", `connect-src 'self' ws://${server.host}`);
}

/** Answers requests for the window's files with what the development server has; the page keeps its own origin. */
export function serveDev(server: URL): (request: AppRequest) => Promise<AppResponse> {
  return ({ url }) =>
    new Promise((done) => {
      const { pathname, search } = new URL(url);
      const fail = (error: Error) => done({ status: 502, headers: { "Content-Type": "text/plain" }, body: Buffer.from(error.message) });
      get(new URL(`${pathname}${search}`, server), (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => chunks.push(chunk));
        reply.on("error", fail);
        reply.on("end", () => {
          const headers = {
            "Content-Type": reply.headers["content-type"] ?? "text/plain",
            "Content-Security-Policy": devPolicy(server),
            "Cache-Control": "no-store",
          };
          done({ status: reply.statusCode ?? 502, headers, body: Buffer.concat(chunks) });
        });
      }).on("error", fail);
    });
}
