import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import type { Readable } from "node:stream";

/** A server's answer; whoever gets it reads the body to its end or destroys it. */
export type Answer = {
  readonly status: number;
  header(name: string): string | null;
  readonly body: Readable;
};

/** Milliseconds of silence after which a connection counts as broken. */
const defaultSilenceMs = 30_000;

/**
 * Asks a server for a file. Nothing is sent but the address and these headers; redirections are the caller's.
 * @param signal ends the connection, the body's as well
 * @throws Error of the system where there is no answer, or the signal was aborted
 */
export function get(
  address: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  silenceMs = defaultSilenceMs,
): Promise<Answer> {
  // Only a test's own catalogue has addresses that are not https.
  const request = address.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    let body: Readable | null = null;
    const asked = request(address, { headers: { ...headers, "Accept-Encoding": "identity" } }, (answer) => {
      const header = (name: string) => {
        const value = answer.headers[name];
        return typeof value === "string" ? value : null;
      };
      body = answer;
      resolve({ status: answer.statusCode ?? 0, header, body: answer });
    });
    const end = (reason: string) => {
      const error = new Error(reason);
      body?.destroy(error);
      asked.destroy(error);
    };
    // Not the option `signal`: Node 16 forgets it when the request is sent.
    const abort = () => end("the download was stopped");
    signal.addEventListener("abort", abort);
    asked.on("close", () => signal.removeEventListener("abort", abort));
    asked.on("error", reject);
    asked.setTimeout(silenceMs, () => end(`nothing came for ${silenceMs / 1000} seconds`));
    asked.end();
    if (signal.aborted) abort();
  });
}
