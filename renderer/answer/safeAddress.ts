/** An https address as it would be opened, or null for everything else (scripts, files, plain http, nonsense). */
export function safeAddress(address: string): string | null {
  try {
    const url = new URL(address);
    return url.protocol === "https:" && url.username === "" && url.password === "" ? url.href : null;
  } catch {
    return null;
  }
}
