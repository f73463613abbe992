import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Turn } from "../../../../electron/contract/conversation.ts";
import { type History, openHistory } from "../../../../electron/engine/conversation/history.ts";

let folder = "";
let file = "";
const opened: { close(): void }[] = [];

function open(): History {
  const history = openHistory(file);
  opened.push(history);
  return history;
}

/** Another program's connection, which does not wait for a lock. */
function connect(): Database.Database {
  const database = new Database(file);
  opened.push(database);
  return database;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight it's “数据” "));
  file = join(folder, "longsight.db");
});
afterEach(async () => {
  for (const each of opened.splice(0)) each.close();
  await rm(folder, { recursive: true, force: true });
});

const document = {
  id: "a".repeat(64),
  name: "a",
  path: "/a",
  kind: "text",
  title: null,
  bytes: 1,
  pages: 1,
  locked: false,
  openedAt: 5,
} as const;

function turn(id: string, over: Partial<Turn> = {}): Turn {
  return { id, question: `Question ${id}?`, answer: "", status: "writing", figures: null, problem: null, createdAt: 1_000, ...over };
}

describe("a file that another program has locked", () => {
  it("is named as such, and what is written once it is free is there for everyone", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    const other = connect();
    other.exec("BEGIN IMMEDIATE");
    const locked = expect.objectContaining({
      code: "storage",
      message: expect.stringMatching(/another program is using “longsight\.db”/),
      detail: expect.stringContaining("locked"),
    });
    expect(() => history.rename("c1", "Lost", 20)).toThrow(locked);
    other.exec("ROLLBACK");

    history.createConversation("c2", [], 30);
    history.rename("c1", "Kept", 40);
    history.rememberDocument(document);
    history.addTurn("c1", turn("t1"), null);
    const seen = (table: string) => other.prepare(`SELECT id FROM ${table} ORDER BY id`).all();
    expect(seen("conversations")).toEqual([{ id: "c1" }, { id: "c2" }]);
    expect(seen("documents")).toEqual([{ id: document.id }]);
    expect(seen("turns")).toEqual([{ id: "t1" }]);
    expect(() => other.exec("BEGIN IMMEDIATE; ROLLBACK")).not.toThrow();
    expect(history.getConversation("c1").title).toBe("Kept");
  }, 20_000);

  it("costs an answer that is being written nothing: a later save has it whole", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.addTurn("c1", turn("t1"), null);
    const other = connect();
    other.exec("BEGIN IMMEDIATE");
    history.updateAnswer("t1", "The answer");
    other.exec("ROLLBACK");
    history.updateAnswer("t1", "The answer is");
    expect(other.prepare("SELECT answer FROM turns").all()).toEqual([{ answer: "The answer is" }]);
  }, 20_000);
});

describe("a damaged file", () => {
  /** The bytes of a history of some hundred pages. */
  async function manyPages(): Promise<Buffer> {
    const history = open();
    for (let number = 0; number < 40; number++) {
      history.createConversation(`c${number}`, [], number);
      history.addTurn(`c${number}`, turn(`t${number}`, { question: "long ".repeat(1000), status: "done" }), null);
    }
    connect().exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return readFile(file);
  }

  const kinds: Record<string, (whole: Buffer) => Buffer> = {
    "in its middle": (whole) => Buffer.concat([whole.subarray(0, 20_000), Buffer.alloc(whole.length - 20_000, 0x5a)]),
    "in its head": (whole) => Buffer.concat([Buffer.alloc(100), whole.subarray(100)]),
    "by being cut off": (whole) => whole.subarray(0, 9_000),
    "by being something else": () => Buffer.from("This is somebody's letter, not a database.\n".repeat(200)),
  };

  it.each(Object.keys(kinds))("(%s) is put aside as it is with its log, a new one is begun, and that is told once", async (kind) => {
    const damaged = kinds[kind]?.(await manyPages()) ?? Buffer.alloc(0);
    // Those that wrote it still have it open, so that its log stays beside it.
    await writeFile(file, damaged);

    const history = open();
    const aside = (await readdir(folder)).find((name) => /^longsight\.db\.damaged-\d{4}-\d\d-\d\d[^:]*Z$/.test(name)) ?? "none";
    expect(history.notices).toEqual([expect.stringMatching(/damaged.*put aside as “.*”, and a new one was begun/)]);
    expect(history.notices[0]).toContain(aside);
    expect((await readFile(join(folder, aside))).equals(damaged)).toBe(true);
    expect(await readdir(folder)).toContain(`${aside}-wal`);

    history.createConversation("new", [], 10);
    expect(history.listConversations().map(({ id }) => id)).toEqual(["new"]);
    const next = open();
    expect([next.notices, next.listConversations().length]).toEqual([[], 1]);
  });

  it("is not what a whole one is called", () => {
    open().createConversation("c1", [], 10);
    expect(open().notices).toEqual([]);
  });
});

describe("a turn that cannot be read", () => {
  it("leaves the others to be read, and keeps its place", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    for (const id of ["t1", "t2"]) history.addTurn("c1", turn(id, { status: "done" }), null);
    connect().exec("UPDATE turns SET created_at = 'yesterday' WHERE id = 't1'");
    const ids = () => history.getConversation("c1").turns.map(({ id }) => id);
    expect(ids()).toEqual(["t2"]);
    history.addTurn("c1", turn("t3"), null);
    expect(ids()).toEqual(["t2", "t3"]);
    history.addTurn("c1", turn("t2b"), "t2");
    expect(ids()).toEqual(["t2b"]);
  });

  it("only for its status is shown as one that was interrupted", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.addTurn("c1", turn("t1"), null);
    connect().exec("UPDATE turns SET status = 'paused', answer = 'Half'");
    expect(history.getConversation("c1").turns).toMatchObject([{ answer: "Half", status: "interrupted" }]);
  });
});
