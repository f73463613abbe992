import { expect, it } from "vitest";
import { engineEnvironment } from "../../../electron/main/engineEnvironment.ts";

it("lets through what the engine needs and nothing that steers Node or carries a secret", () => {
  const kept = {
    PATH: "/bin",
    Path: "C:\\",
    HOME: "/h",
    LC_ALL: "C",
    XDG_CACHE_HOME: "/c",
    LONGSIGHT_CACHE: "/l",
    OMP_NUM_THREADS: "2",
    SystemRoot: "C:",
  };
  const dropped = {
    NODE_OPTIONS: "--require evil",
    NODE_PATH: "/evil",
    ELECTRON_RUN_AS_NODE: "1",
    LD_PRELOAD: "/evil.so",
    DYLD_INSERT_LIBRARIES: "/evil",
    AWS_SECRET_ACCESS_KEY: "secret",
    GITHUB_TOKEN: "secret",
    HTTPS_PROXY: "http://user:secret@proxy",
  };
  expect(engineEnvironment({ ...kept, ...dropped, TMPDIR: undefined })).toEqual(kept);
});
