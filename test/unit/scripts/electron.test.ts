import { describe, expect, it } from "vitest";
import { electronLaunch, missingFrom } from "../../../scripts/electron.mjs";

describe("finding Electron", () => {
  it("names the Debian packages of the libraries that are missing", () => {
    const output = [
      "\tlinux-vdso.so.1 (0x00007ffd)",
      "\tlibffmpeg.so => /opt/electron/libffmpeg.so (0x00007f)",
      "\tlibnss3.so => not found",
      "\tlibnssutil3.so => not found",
      "\tlibasound.so.2 => not found",
      "\tlibatk-bridge-2.0.so.0 => not found",
      "\tlibunheard.so.9 => not found",
      "\tlibc.so.6 => /lib/libc.so.6 (0x00007f)",
    ].join("\n");
    expect(missingFrom(output)).toEqual({
      libraries: ["libnss3.so", "libnssutil3.so", "libasound.so.2", "libatk-bridge-2.0.so.0", "libunheard.so.9"],
      packages: ["libnss3", "libasound2", "libatk-bridge2.0-0"],
    });
    expect(missingFrom("\tlibc.so.6 => /lib/libc.so.6 (0x00007f)")).toEqual({ libraries: [], packages: [] });
  });

  it("starts the app in a bare Electron by environment, and passes files on untouched", () => {
    const files = ["a b.pdf", "ü'\".pdf"];
    const { command, args, env } = electronLaunch(
      { path: "/none/electron", version: "22.3.25", source: "wheel" },
      ["--no-sandbox", ...files],
      {
        app: "/my app",
      },
    );
    expect({ command, args, app: env["LONGSIGHT_APP"], runAsNode: env["ELECTRON_RUN_AS_NODE"] }).toEqual({
      command: "/none/electron",
      args: ["--no-sandbox", ...files],
      app: "/my app",
      runAsNode: undefined,
    });
  });
});
