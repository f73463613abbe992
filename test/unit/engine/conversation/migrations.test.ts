import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { migrations } from "../../../../electron/engine/conversation/migrations.ts";

const module = "../../../../electron/engine/conversation/migrations.ts";

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight migrations "));
  file = join(folder, "longsight.db");
});
afterEach(async () => {
  vi.doUnmock(module);
  vi.resetModules();
  await rm(folder, { recursive: true, force: true });
});

/** The history as a version of Longsight with these migrations opens it. */
async function openWith(list: readonly string[]) {
  vi.resetModules();
  vi.doMock(module, () => ({ migrations: list }));
  const { openHistory } = await import("../../../../electron/engine/conversation/history.ts");
  return openHistory(file);
}

function look(path: string, query: string): unknown[] {
  const database = new Database(path, { readonly: true });
  try {
    return database.prepare(query).all();
  } finally {
    database.close();
  }
}

const later = "ALTER TABLE conversations ADD COLUMN note TEXT NOT NULL DEFAULT 'none';";

it("carries what there is over to the next version and keeps a copy of it as it was", async () => {
  const before = await openWith(migrations);
  before.createConversation("c1", [], 10);
  before.rename("c1", "Kept", 20);
  // The app was killed: the last change may still stand in the log beside the file.
  const after = await openWith([...migrations, later]);
  expect(after.getConversation("c1")).toMatchObject({ title: "Kept", updatedAt: 20 });
  before.close();
  after.close();
  expect(look(file, "SELECT id, note FROM conversations")).toEqual([{ id: "c1", note: "none" }]);
  expect(look(file, "PRAGMA user_version")).toEqual([{ user_version: migrations.length + 1 }]);

  const copy = `${file}.before-${migrations.length + 1}`;
  expect(look(copy, "SELECT * FROM conversations")).toEqual([
    { id: "c1", title: "Kept", documents: "[]", created_at: 10, updated_at: 20, pins: "[]", deleted_at: null, draft: "", choice: null },
  ]);
  expect(look(copy, "PRAGMA user_version")).toEqual([{ user_version: migrations.length }]);
});

it("applies each migration once, over any number of starts and over several versions at once", async () => {
  (await openWith(migrations)).close();
  const list = [...migrations, later, "ALTER TABLE documents ADD COLUMN note TEXT;"];
  for (let start = 0; start < 3; start++) (await openWith(list)).close();
  expect(look(file, "PRAGMA user_version")).toEqual([{ user_version: list.length }]);
  expect((await readdir(folder)).filter((name) => name.includes("before"))).toEqual([`longsight.db.before-${migrations.length + 1}`]);
});

it("makes no copy of a file that is new", async () => {
  (await openWith([...migrations, later])).close();
  expect((await readdir(folder)).filter((name) => name.includes("before"))).toEqual([]);
});

it("undoes a migration that fails half-way and says that the conversations could not be opened", async () => {
  const before = await openWith(migrations);
  before.createConversation("c1", [], 10);
  before.close();
  await expect(openWith([...migrations, `${later} INSERT INTO nowhere VALUES (1);`])).rejects.toMatchObject({ code: "storage" });
  expect(look(file, "PRAGMA user_version")).toEqual([{ user_version: migrations.length }]);
  expect(look(file, "SELECT * FROM conversations")).toEqual([
    { id: "c1", title: "", documents: "[]", created_at: 10, updated_at: 10, pins: "[]", deleted_at: null, draft: "", choice: null },
  ]);
  expect(existsSync(`${file}.before-${migrations.length + 1}`)).toBe(true);

  const mended = await openWith([...migrations, later]);
  expect(mended.getConversation("c1").id).toBe("c1");
  mended.close();
});

it("carries conversations from before versions over: one after the other, in view, and found by a search", async () => {
  const old = new Database(file);
  for (const statements of migrations.slice(0, 2)) old.exec(statements);
  old.exec(`
    PRAGMA user_version = 2;
    INSERT INTO conversations (id, title, documents, created_at, updated_at) VALUES ('c1', 'One', '[]', 1, 2), ('c2', 'Two', '[]', 1, 3);
    INSERT INTO turns (id, conversation_id, position, question, answer, status, created_at) VALUES
      ('b', 'c1', 4, 'And then?', 'The harbour light.', 'done', 6),
      ('a', 'c1', 1, 'What came first?', 'The keeper.', 'done', 5),
      ('c', 'c2', 0, 'Else?', 'Half an ans', 'writing', 7);
  `);
  old.close();
  const { openHistory } = await import("../../../../electron/engine/conversation/history.ts");
  const history = openHistory(file);
  expect(history.getConversation("c1")).toMatchObject({
    versions: {},
    draft: "",
    turns: [{ id: "a" }, { id: "b", answer: "The harbour light." }],
  });
  expect(history.getConversation("c2").turns).toMatchObject([{ id: "c", status: "interrupted", answer: "Half an ans" }]);
  const words = (text: string) => look(file, `SELECT rowid FROM turn_words WHERE turn_words MATCH '"${text}"'`);
  expect([words("HARBOUR"), words("half an"), words("nowhere")].map((found) => found.length)).toEqual([1, 1, 0]);
  expect(history.showTurn("c1", "b").turns).toHaveLength(2);
  history.close();
  expect(existsSync(`${file}.before-3`)).toBe(true);
});

it("lets a conversation from before it could have a budget of its own follow the settings, and keeps what is chosen in it then", async () => {
  const old = new Database(file);
  for (const statements of migrations.slice(0, 4)) old.exec(statements);
  old.exec(`
    PRAGMA user_version = 4;
    INSERT INTO conversations (id, title, documents, created_at, updated_at) VALUES ('c1', 'One', '[]', 1, 2), ('c2', 'Two', '[]', 1, 3);
  `);
  old.close();
  const { openHistory } = await import("../../../../electron/engine/conversation/history.ts");
  const history = openHistory(file);
  expect(history.getConversation("c1")).toMatchObject({ title: "One", choice: null });
  const choice = { budget: 256, policy: "snapkv", draftModel: null, mode: "once", share: "score" } as const;
  history.setChoice("c1", choice);
  history.close();

  const again = openHistory(file);
  // It is no change of the conversation: its place in the list stays.
  expect(again.getConversation("c1")).toMatchObject({ choice, updatedAt: 2 });
  expect(again.getConversation("c2").choice).toBeNull();
  expect(again.listConversations().map(({ id }) => id)).toEqual(["c2", "c1"]);
  again.close();
  // What was written by another version, or is damaged, counts for nothing.
  const damaged = new Database(file);
  damaged.exec("UPDATE conversations SET choice = '{\"budget\":0}' WHERE id = 'c1'");
  damaged.close();
  const mended = openHistory(file);
  expect(mended.getConversation("c1").choice).toBeNull();
  mended.close();
  expect(existsSync(`${file}.before-5`)).toBe(true);
});
