// pdf.js as anybody gets it, in the cache: it is measured beside, and no part of the app.
import { ensureFetched } from "../quality/fetched.mjs";

const name = "pdfjs-dist";
const version = "5.6.205";

/** @returns {Promise<{ folder: string, version: string, integrity: string }>} folder: below which it lies in node_modules */
export async function ensurePdfJs() {
  const { folder, integrity } = await ensureFetched({ name: `pdfjs-${version}`, dependencies: { [name]: version }, main: name });
  return { folder, version, integrity };
}
