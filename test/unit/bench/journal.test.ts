import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { openJournal } from "../../../bench/quality/journal.ts";
import { readRows } from "../../../bench/quality/jsonLines.ts";
import { UsageError } from "../../../bench/quality/options.ts";

const schema = z.object({ index: z.number(), text: z.string() });
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-journal-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("journal", () => {
  it("goes on where a run was ended, and only that run", async () => {
    const run = { tokens: 2000, code: "a" };
    const first = await openJournal(folder, "needles", run, schema);
    await first.add({ index: 0, text: "one\u2028line" });
    await first.add({ index: 1, text: "two" });
    expect((await openJournal(folder, "needles", run, schema)).items).toEqual([
      { index: 0, text: "one\u2028line" },
      { index: 1, text: "two" },
    ]);
    expect((await openJournal(folder, "needles", { ...run, code: "b" }, schema)).items).toEqual([]);
    await first.remove();
    expect(await readdir(folder)).toEqual([]);
  });

  it("leaves out what cannot be read", async () => {
    const journal = await openJournal(folder, "needles", "damaged", schema);
    await journal.add({ index: 0, text: "whole" });
    const [name = ""] = await readdir(folder);
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(folder, name), `${text}{"index":1}\nnull\n{"index":2,"te`);
    expect((await openJournal(folder, "needles", "damaged", schema)).items).toEqual([{ index: 0, text: "whole" }]);
  });
});

describe("a data set", () => {
  it("is refused where it is missing, empty or damaged", async () => {
    await writeFile(join(folder, "good.jsonl"), '{"index":1,"text":"a"}\n\n{"index":2,"text":"b"}');
    await writeFile(join(folder, "bad.jsonl"), '{"index":1,"text":"a"}\n{"index":"2"}\n');
    await writeFile(join(folder, "empty.jsonl"), "\n");
    expect(await readRows(folder, "good.jsonl", schema)).toHaveLength(2);
    for (const name of ["bad.jsonl", "empty.jsonl", "missing.jsonl"]) {
      await expect(readRows(folder, name, schema)).rejects.toThrow(UsageError);
      await expect(readRows(folder, name, schema)).rejects.toThrow(name);
    }
  });
});
