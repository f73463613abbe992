// The PDFs that the bench `app` opens and reads.
import { readFile, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { root } from "../../scripts/files.mjs";

/** Pages of made documents, where there are no real ones. */
const madePages = [1, 4, 20, 80];

/**
 * Real PDFs where LONGSIGHT_DATA has them, chosen evenly by pages; else made ones.
 * @param {{ tools: any, folder: string, count: number }} where tools: of bench/app/main.ts; folder: for made ones
 * @returns {Promise<{ kind: "real" | "made", documents: { name: string, path: string, pages: number, bytes: number }[] }>} by pages
 */
export async function findDocuments({ tools, folder, count }) {
  const base = process.env.LONGSIGHT_DATA ? resolve(process.env.LONGSIGHT_DATA) : join(root, "..", "shared", "data");
  const manifest = await readFile(join(base, "A_pdf", "MANIFEST.csv"), "utf8").catch(() => null);
  if (manifest !== null) {
    const chosen = tools.chooseDocuments(tools.wholePdfs(manifest), count);
    const documents = chosen.map(({ file, pages, bytes }) => ({ name: basename(file), path: join(base, "A_pdf", file), pages, bytes }));
    return { kind: "real", documents };
  }
  const documents = [];
  for (const pages of madePages.slice(0, count)) documents.push(await makeDocument(tools, folder, pages));
  return { kind: "made", documents };
}

/** A PDF of prose. */
export async function makeDocument(tools, folder, pages) {
  const name = `made-${pages}-pages.pdf`;
  const bytes = await tools.madePdf(pages);
  const path = join(folder, name);
  await writeFile(path, bytes);
  return { name, path, pages, bytes: bytes.byteLength };
}
