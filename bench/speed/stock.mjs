// node-llama-cpp as anybody gets it: the same version with its own binaries, in a folder of its own in the cache, never among this checkout's packages.
//
//   node bench/speed/stock.mjs [BACKEND]    fetches it with npm where it is not there, and says where it is
import { join } from "node:path";
import { readJson, root } from "../../scripts/files.mjs";
import { messageOf } from "../../scripts/run.mjs";
import { ensureFetched } from "../quality/fetched.mjs";

const platforms = { linux: "linux", darwin: "mac", win32: "win" };

/** @param {string | null} backend that the app's own build computes with; null for the CPU */
function binaryPackage(backend) {
  const parts = [platforms[process.platform] ?? process.platform, process.arch, ...(backend === null ? [] : [backend])];
  return `@node-llama-cpp/${parts.join("-")}`;
}

/**
 * @param {string | null} backend
 * @returns {Promise<{ folder: string, version: string, binary: string, integrity: string }>} integrity: what npm checked the binaries against
 */
async function ensureStock(backend) {
  const { version, optionalDependencies } = await readJson(join(root, "node_modules", "node-llama-cpp", "package.json"));
  const binary = binaryPackage(backend);
  if (!(binary in optionalDependencies)) throw new Error(`node-llama-cpp ${version} has no binaries for this machine (${binary}).`);
  // Binaries for other machines are hundreds of megabytes.
  const others = Object.keys(optionalDependencies).filter((name) => name !== binary);
  const { folder, integrity } = await ensureFetched({
    name: `stock-${version}-${binary.split("/")[1]}`,
    dependencies: { "node-llama-cpp": version, [binary]: version },
    overrides: Object.fromEntries(others.map((name) => [name, "npm:empty-npm-package@1.0.0"])),
    main: binary,
  });
  return { folder, version, binary, integrity };
}

try {
  console.log(JSON.stringify(await ensureStock(process.argv[2] ?? null)));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
