/** A gigabyte as sizes are said elsewhere in the window. */
const gigabyte = 1e9;
/** No disk is larger for a while; beyond it a number is a slip. */
const mostGigabytes = 100_000;

/** Bytes of a limit that was typed in gigabytes, to the megabyte; null for what is none. */
export function limitBytes(text: string): number | null {
  const gigabytes = Number(text.trim().replace(",", "."));
  if (text.trim() === "" || !Number.isFinite(gigabytes) || gigabytes < 0 || gigabytes > mostGigabytes) return null;
  return Math.round(gigabytes * 1000) * (gigabyte / 1000);
}

/** A limit as it is typed: "10", "0.5". */
export function limitText(bytes: number): string {
  return String(Math.round(bytes / (gigabyte / 1000)) / 1000);
}
