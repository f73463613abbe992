import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { hashSets } from "../../../../bench/quality-sets/sources.ts";
import { groups, type Item, type PromptText, type ScoredTask } from "../../../../bench/quality-sets/task.ts";
import { chooseTasks } from "../../../../bench/quality-sets/tasks.ts";

const dataFolder = resolve(process.env["LONGSIGHT_DATA"] ?? join(import.meta.dirname, "..", "..", "..", "..", "..", "shared", "data"));
const isThere = existsSync(join(dataFolder, "B_eval", "words"));
const wanted = { dataFolder, tokens: 2048, count: 5 };

function textOf({ source }: Item): PromptText {
  return source.kind === "grown" ? source.at(Math.min(source.most, 8)) : source.text;
}

/** Tasks whose gold answers stand in what is asked about, or in the question. */
const looksUp = /^(niah|vt|cwe|fwe|kv|longchat|nq|leval_topic|xquad|cmrc)/;

it("the hash of the sets is of their names and contents", async () => {
  const folder = await mkdtemp(join(tmpdir(), "longsight-sets-"));
  const set = join(folder, "B_eval", "xquad");
  await mkdir(set, { recursive: true });
  const hashes = [];
  for (const [name, content] of [
    ["en.jsonl", "one"],
    ["en.jsonl", "two"],
    ["zh.jsonl", "two"],
    ["zh.jsonl", "two"],
  ] as const) {
    await writeFile(join(set, name), content);
    hashes.push(await hashSets(folder));
  }
  await rm(folder, { recursive: true });
  expect(new Set(hashes).size).toBe(3);
  expect(hashes[3]).toBe(hashes[2]);
});

describe.skipIf(!isThere)("tasks from the real sets (LONGSIGHT_DATA)", () => {
  it.each(chooseTasks(groups))("$name has items that can be asked and judged", async ({ name, group, read }) => {
    const task = await read(wanted);
    expect(task).toMatchObject({ name, group });
    expect(task.items.length).toBeGreaterThanOrEqual(4);
    expect(new Set(task.items.map(({ id }) => id)).size).toBe(task.items.length);
    for (const item of task.items) {
      const { head, context, question } = textOf(item);
      expect(`${head}${context}${question}`).not.toMatch(/\{(context|input|html_str|task_topic|tsv_header)\}/);
      expect(context.length + question.length).toBeGreaterThan(10);
      if (looksUp.test(name)) expect(context.toLowerCase()).toContain(item.gold[0]?.toLowerCase());
    }
    // Fewer are the beginning of more: what was measured of an item counts for runs of more items too.
    const more = await read({ ...wanted, count: wanted.count + 3 });
    const all = (items: readonly Item[]) => items.map((item) => [item.id, item.gold, textOf(item)]);
    expect(all(more.items.slice(0, task.items.length))).toEqual(all(task.items));
  });

  const scored = chooseTasks(["ruler", "reading", "longproc"]);
  it.each(scored)("$name scores its gold answers 1, and nothing 0", async ({ read }) => {
    const task = await read(wanted);
    const { score, items }: Pick<ScoredTask, "score" | "items"> = "score" in task ? task : { score: () => 0, items: [] };
    expect(items.length).toBeGreaterThan(0);
    for (const { gold } of items) {
      expect(gold.length).toBeGreaterThan(0);
      // All of the references where all are wanted, one of them where one is enough.
      const answer = task.group === "ruler" ? gold.join(" ") : (gold[0] ?? "");
      expect(score(answer.replace(/ \[fact.*/, ""), gold)).toBe(1);
      expect(score("", gold)).toBe(0);
    }
  });
});
