import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";

export type Asked = { readonly path: string; readonly range: string | null };
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of this machine's own that answers as a test says. */
export type FileServer = {
  readonly origin: string;
  /** What it was asked so far. */
  readonly asked: Asked[];
  answer(handler: Handler): void;
  close(): Promise<void>;
};

const addressSchema = z.object({ port: z.number() });

export async function startServer(): Promise<FileServer> {
  const asked: Asked[] = [];
  let handler: Handler = (_request, response) => response.writeHead(404).end();
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? "", range: request.headers.range ?? null });
    handler(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${addressSchema.parse(server.address()).port}`,
    asked,
    answer: (next) => {
      handler = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Where a request wants to begin; 0 without a range. */
export const startOf = (request: { readonly headers: { readonly range?: string | undefined } }) =>
  Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);

/** Serves a file with ranges, as most servers do. @param until the connection is cut at this byte */
export function serve(bytes: Buffer, until = bytes.length): Handler {
  return (request, response) => {
    const from = startOf(request);
    const range = request.headers.range === undefined ? {} : { "Content-Range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(request.headers.range === undefined ? 200 : 206, { "Content-Length": bytes.length - from, ...range });
    if (until >= bytes.length) response.end(bytes.subarray(from));
    else response.write(bytes.subarray(from, until), () => response.destroy());
  };
}
