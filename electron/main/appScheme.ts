import { type Protocol, protocol } from "electron";
import { appScheme } from "../contract/channels.ts";
import type { AppRequest, AppResponse } from "./appFiles.ts";

/** Declares the window's own scheme. Must be called before the app is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/** Serves the scheme. The one place that knows the difference: `protocol.handle` came with Electron 25. */
export function serveAppScheme(on: Protocol, answer: (request: AppRequest) => Promise<AppResponse>): void {
  if (typeof on.handle === "function") {
    on.handle(appScheme, async ({ method, url }) => {
      const { status, headers, body } = await answer({ method, url });
      return new Response(new Uint8Array(body), { status, headers });
    });
    return;
  }
  on.registerBufferProtocol(appScheme, ({ method, url }, callback) => {
    void answer({ method, url }).then(({ status, headers, body }) => {
      const [mimeType = "", charset] = (headers["Content-Type"] ?? "").split("; charset=");
      callback({ statusCode: status, headers, mimeType, data: body, ...(charset === undefined ? {} : { charset }) });
    });
  });
}
