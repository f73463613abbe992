import { describe, expect, it } from "vitest";
import { checkCasts } from "../../../scripts/casts.mjs";

const check = (text: string) => checkCasts([{ file: "a.ts", text }]);

describe("casts", () => {
  it.each([
    "export const a = { b: 1 } as const;",
    'import { a as b } from "./c.ts";\nexport { b as d };',
    'import * as all from "./c.ts";\nexport { all };',
    'export * as all from "./c.ts";',
    "export const a = { b: 1 } as const satisfies object;",
    "export const a = (b: boolean) => !b;",
    'export const a = "b as string";\n// any word as a comment!',
    "export type A<B> = { [C in keyof B as Uppercase<string & C>]: B[C] };",
    "export const a = [1][0] !== 2;",
  ])("lets through %s", (text) => {
    expect(check(text)).toEqual([]);
  });

  it.each([
    ["as", "export const a = JSON.parse('1') as number;"],
    ["as unknown", "export const a = 1 as unknown;"],
    ["an angle cast", "export const a = <number>JSON.parse('1');"],
    ["a non-null mark", "export const a = (b?: string) => b!.length;"],
    ["a definite field", "export class A { b!: string; }"],
    ["a definite variable", "let a!: string;\nexport const b = () => a;"],
    ["any", "export const a = (b: any) => b;"],
    ["any inside a type", "export type A = Record<string, any[]>;"],
    ["ts-ignore", "// @ts-ignore\nexport const a = 1;"],
    ["ts-expect-error", "// @ts-expect-error\nexport const a = 1;"],
    ["ts-nocheck", "// @ts-nocheck\nexport const a = 1;"],
    ["biome-ignore", "// biome-ignore lint: no\nexport const a = 1;"],
    ["biome-ignore-all", "/* biome-ignore-all lint: no */\nexport const a = 1;"],
  ])("refuses %s", (_what, text) => {
    expect(check(text)).toHaveLength(1);
  });

  it("gives file and line", () => {
    expect(check("export const a = 1;\n\nexport const b = JSON.parse('1') as number;")).toEqual([
      "a.ts:3 a cast: use satisfies, a type guard or a parse",
    ]);
  });

  it("reads tsx", () => {
    expect(checkCasts([{ file: "a.tsx", text: "export const A = (b: unknown) => <p>{b as string}</p>;" }])).toHaveLength(1);
  });

  it("names the file that it cannot read", () => {
    expect(() => check("export const = ;")).toThrow(/a\.ts/);
  });
});
