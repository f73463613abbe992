import { expect, it } from "vitest";
import { cacheFolder } from "../../../electron/engine/folders.ts";
import { cacheFolder as scriptsCacheFolder } from "../../../scripts/cache.mjs";

it("looks for models and the native build where set-up puts them", () => {
  const environments = [{}, { LONGSIGHT_CACHE: "relative" }, { XDG_CACHE_HOME: "/x" }, { LOCALAPPDATA: "C:\\Local" }];
  for (const platform of ["linux", "darwin", "win32"] as const) {
    for (const environment of environments) expect(cacheFolder(environment, platform)).toBe(scriptsCacheFolder(environment, platform));
  }
});
