import type { LibraryEntry } from "../../electron/contract/document.ts";

/** Letters alone: "Résumé" is found by "resume", in any case. */
function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The entries whose name, title or folder has every word that is sought, in their order. */
export function libraryMatching(library: readonly LibraryEntry[], sought: string): readonly LibraryEntry[] {
  const words = plain(sought)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return library;
  return library.filter((entry) => {
    const text = plain(`${entry.name} ${entry.title ?? ""} ${entry.path}`);
    return words.every((word) => text.includes(word));
  });
}
