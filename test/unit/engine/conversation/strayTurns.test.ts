import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type History, openHistory } from "../../../../electron/engine/conversation/history.ts";
import { migrations } from "../../../../electron/engine/conversation/migrations.ts";

let folder = "";
let file = "";
const opened: { close(): void }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight strays "));
  file = join(folder, "longsight.db");
});
afterEach(async () => {
  for (const each of opened.splice(0)) each.close();
  await rm(folder, { recursive: true, force: true });
});

function open(): History {
  const history = openHistory(file);
  opened.push(history);
  return history;
}

/** Works on the file as another program does, which knows nothing of what belongs together. */
function besides(statements: string): void {
  const database = new Database(file);
  database.exec("PRAGMA foreign_keys = OFF");
  database.exec(statements);
  database.close();
}

/** Three turns one after the other, in a conversation of their own. */
function three(history: History, conversation: string, prefix: string): void {
  history.createConversation(conversation, [], 10);
  for (const [number, id] of ["1", "2", "3"].map((each) => `${prefix}${each}`).entries()) {
    const turn = { id, question: `Question ${id}?`, answer: `Answer ${id}.`, status: "done", figures: null, problem: null } as const;
    history.addTurn(conversation, { ...turn, createdAt: 1_000 + number }, null);
  }
}

const idsOf = (history: History, conversation: string): string[] => history.getConversation(conversation).turns.map(({ id }) => id);

describe("a turn whose place in its conversation is lost", () => {
  it("because the one before is gone stands beside the first one, with what follows it; that is told once", () => {
    const history = open();
    three(history, "c1", "a");
    three(history, "c2", "b");
    history.close();
    besides("UPDATE turns SET parent = 'gone' WHERE id = 'a2'");

    const mended = open();
    expect(mended.notices).toEqual([expect.stringMatching(/^1 question was found.*“Question a1\?”\.$/)]);
    expect(mended.getConversation("c1")).toMatchObject({ turns: [{ id: "a1" }], versions: { a1: ["a1", "a2"] } });
    expect(idsOf(mended, "c2")).toEqual(["b1", "b2", "b3"]);
    expect(mended.showTurn("c1", "a3").turns.map(({ id }) => id)).toEqual(["a2", "a3"]);
    mended.close();
    const again = open();
    expect([again.notices, idsOf(again, "c1")]).toEqual([[], ["a2", "a3"]]);
  });

  it("in a circle begins with the oldest of it, and no turn is in view twice", () => {
    const history = open();
    three(history, "c1", "a");
    history.close();
    besides("UPDATE turns SET parent = 'a3' WHERE id = 'a1'");
    const mended = open();
    expect(mended.notices).toHaveLength(1);
    expect(mended.getConversation("c1")).toMatchObject({ turns: [{ id: "a1" }, { id: "a2" }, { id: "a3" }], versions: {} });
    expect(mended.listConversations()).toMatchObject([{ id: "c1", turns: 3 }]);
  });

  it("because it follows itself, or one of another conversation, has one again", () => {
    const history = open();
    three(history, "c1", "a");
    three(history, "c2", "b");
    history.close();
    besides("UPDATE turns SET parent = 'a2' WHERE id = 'a2'; UPDATE turns SET parent = 'a3' WHERE id = 'b2'");
    const mended = open();
    expect(mended.notices).toEqual([expect.stringMatching(/^2 questions were found.*“Question a1\?”, “Question b1\?”\.$/)]);
    expect(mended.showTurn("c1", "a3").turns.map(({ id }) => id)).toEqual(["a2", "a3"]);
    expect(mended.showTurn("c2", "b3").turns.map(({ id }) => id)).toEqual(["b2", "b3"]);
  });
});

describe("turns whose conversation is gone", () => {
  it("are in the list again, and the others open as ever", () => {
    const history = open();
    three(history, "c1", "a");
    three(history, "c2", "b");
    history.close();
    besides("DELETE FROM conversations WHERE id = 'c1'");
    const mended = open();
    expect(mended.notices).toEqual([expect.stringMatching(/a conversation that is not in the list.*“Question a1\?”\.$/)]);
    expect(mended.getConversation("c1")).toMatchObject({ title: "Question a1?", documents: [], createdAt: 1_000, updatedAt: 1_002 });
    expect([idsOf(mended, "c1"), idsOf(mended, "c2")]).toEqual([
      ["a1", "a2", "a3"],
      ["b1", "b2", "b3"],
    ]);
  });

  it("in a file from before versions do not keep it from being opened", () => {
    const old = new Database(file);
    old.exec("PRAGMA foreign_keys = OFF");
    for (const statements of migrations.slice(0, 2)) old.exec(statements);
    old.exec(`
      PRAGMA user_version = 2;
      INSERT INTO conversations (id, title, documents, created_at, updated_at) VALUES ('c1', 'One', '[]', 1, 2);
      INSERT INTO turns (id, conversation_id, position, question, answer, status, created_at) VALUES
        ('a', 'c1', 0, 'Here?', 'Yes.', 'done', 5), ('lost', 'gone', 0, 'Where?', 'Nowhere.', 'done', 6);
    `);
    old.close();
    const history = open();
    expect(history.listConversations().map(({ id }) => id)).toEqual(["gone", "c1"]);
    expect(history.getConversation("gone")).toMatchObject({ title: "Where?", turns: [{ id: "lost", answer: "Nowhere." }] });
    expect(history.notices).toHaveLength(1);
  });
});
