// Where downloads and builds live: one folder, LONGSIGHT_CACHE or the user's own cache folder.
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The cache folder of this user (absolute). Everything set-up fetches or builds is below it. */
export function cacheFolder(environment = process.env, platform = process.platform) {
  if (environment.LONGSIGHT_CACHE) return resolve(environment.LONGSIGHT_CACHE);
  if (platform === "win32") {
    return join(environment.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "Longsight", "Cache");
  }
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "Longsight");
  return join(environment.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "longsight");
}
