import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { callerFolder, capture, exitCodeOfSignal, hand } from "../../../scripts/run.mjs";

const node = process.execPath;

describe("capture", () => {
  it("keeps both streams and the exit code", async () => {
    const { code, output } = await capture(node, ["-e", "console.log('out'); console.error('err'); process.exit(3)"]);
    expect(code).toBe(3);
    expect(output).toContain("out");
    expect(output).toContain("err");
  });

  it("hands over whole lines", async () => {
    const lines: string[] = [];
    await capture(node, ["-e", "process.stdout.write('a'); process.stdout.write('b\\r\\nc\\n')"], { onLine: (line) => lines.push(line) });
    expect(lines).toEqual(["ab", "c"]);
  });

  it("gives code 127 where there is no such program", async () => {
    expect(await capture("longsight-no-such-program", [])).toEqual({ code: 127, output: "longsight-no-such-program was not found" });
  });

  it("gives the shell's code for a program that a signal ended", async () => {
    expect((await capture(node, ["-e", "process.kill(process.pid, 'SIGKILL')"])).code).toBe(137);
    expect(exitCodeOfSignal("SIGINT")).toBe(130);
  });
});

describe("hand", () => {
  it("gives the exit code back", async () => {
    expect(await hand(node, ["-e", "process.exit(5)"], { stdio: "ignore" })).toBe(5);
  });

  it("passes signals on and waits for the program's own end", async () => {
    const wrapper = `import(${JSON.stringify(new URL("../../../scripts/run.mjs", import.meta.url).href)}).then(async ({ hand }) => {
      process.exit(await hand(process.execPath, ["-e", "process.on('SIGTERM', () => process.exit(42)); console.log('ready'); setInterval(() => {}, 1000)"]));
    })`;
    const running = spawn(node, ["-e", wrapper], { stdio: ["ignore", "pipe", "inherit"] });
    const code = await new Promise((resolve) => {
      running.stdout.once("data", () => running.kill("SIGTERM"));
      running.once("close", resolve);
    });
    expect(code).toBe(42);
  });
});

describe("callerFolder", () => {
  it("is where a person called the npm script", () => {
    expect(callerFolder("longsight", { npm_lifecycle_event: "longsight", INIT_CWD: "/somewhere" })).toBe("/somewhere");
  });

  it("is the working folder where another script called it, or none", () => {
    expect(callerFolder("longsight", { npm_lifecycle_event: "test", INIT_CWD: "/somewhere" })).toBe(process.cwd());
    expect(callerFolder("longsight", {})).toBe(process.cwd());
  });
});
