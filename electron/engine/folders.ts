import { homedir } from "node:os";
import { join, resolve } from "node:path";

/**
 * The user's cache folder of Longsight (absolute): models and the native build lie below it. The same rule as
 * scripts/cache.mjs, which fills it; a test compares the two.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (environment["LONGSIGHT_CACHE"]) return resolve(environment["LONGSIGHT_CACHE"]);
  if (platform === "win32") {
    return join(environment["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local"), "Longsight", "Cache");
  }
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "Longsight");
  return join(environment["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "longsight");
}
