type WebUtilities = { readonly getPathForFile: (file: File) => string };

/**
 * Where a dropped or chosen file lies; empty for one that is not on a disk. The one place that knows the difference:
 * Electron 29 and later answer through `webUtils`; before, `File.path` says it.
 */
export function pathOfFile(file: File, utilities: WebUtilities | undefined): string {
  if (utilities) return utilities.getPathForFile(file);
  return "path" in file && typeof file.path === "string" ? file.path : "";
}
