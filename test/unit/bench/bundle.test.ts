import { expect, it } from "vitest";
import { bundleProgram } from "../../../bench/bundle.mjs";

it("tells a program's code, so that what another code measured is not gone on with", async () => {
  const programs = [];
  for (const entry of ["memory/program", "memory/program", "app/manifest"]) programs.push(await bundleProgram(entry));
  for (const { remove } of programs) await remove();
  const [one, same, other] = programs.map(({ code }) => code);
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});
