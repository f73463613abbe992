import { expect, it } from "vitest";
import { variantOf } from "../../../../electron/engine/llama/runtime.ts";

it("names the CPU variant by the library that is loaded", () => {
  expect(variantOf(["/lib/libc.so.6", "/build/libggml-base.so", "/build/libggml-cpu-sapphirerapids.so"])).toBe("sapphirerapids");
  expect(variantOf(["/a folder/it's/libggml-cpu-zen4.so"])).toBe("zen4");
});

it("is the baseline where a build has one variant or the system does not tell", () => {
  expect(variantOf(["/build/libggml-cpu.so", "/build/llama-addon.node"])).toBe("baseline");
  expect(variantOf(["/libggml-cpu-zen4.so/other.so"])).toBe("baseline");
  expect(variantOf([])).toBe("baseline");
});
