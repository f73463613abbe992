// What an address may be used for. Addresses are parsed and compared by their parts, never by a prefix of their text.
import { appHost, appScheme } from "../contract/channels.ts";

function parse(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** Whether an address belongs to the window's own files: the only ones that may be navigated to or may send messages. */
export function isAppAddress(address: string): boolean {
  const parsed = parse(address);
  return (
    parsed !== null && parsed.protocol === `${appScheme}:` && parsed.host === appHost && parsed.username === "" && parsed.password === ""
  );
}

const localSchemes: ReadonlySet<string> = new Set([`${appScheme}:`, "blob:", "data:", "devtools:"]);

/** Whether the window may load from an address: only what never leaves the machine. */
export function isLocalAddress(address: string): boolean {
  const parsed = parse(address);
  return parsed !== null && localSchemes.has(parsed.protocol);
}

/**
 * An https address in the form that is shown to the person (host in ASCII, so that look-alike letters show), or null for
 * anything else: other schemes, addresses with a name and password in front of the host, text that is no address.
 */
export function webAddress(address: string): string | null {
  const parsed = parse(address);
  if (parsed?.protocol !== "https:" || parsed.hostname === "" || parsed.username !== "" || parsed.password !== "") return null;
  return parsed.href;
}
