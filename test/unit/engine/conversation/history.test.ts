import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AnswerFigures, Turn } from "../../../../electron/contract/conversation.ts";
import type { LibraryEntry } from "../../../../electron/contract/document.ts";
import { type History, openHistory } from "../../../../electron/engine/conversation/history.ts";

let folder = "";
let file = "";
const opened: History[] = [];

/** Opens the test's database; it is closed after the test. */
function open(path = file): History {
  const history = openHistory(path);
  opened.push(history);
  return history;
}

/** Works on the database as another program would. */
function besides<Result>(work: (database: Database.Database) => Result): Result {
  const database = new Database(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight it's “数据” "));
  file = join(folder, "a 'quoted' folder", "longsight.db");
});
afterEach(async () => {
  for (const history of opened.splice(0)) history.close();
  await rm(folder, { recursive: true, force: true });
});

const documents = [
  { documentId: "a".repeat(64), pages: null },
  { documentId: "b".repeat(64), pages: [3, 4, 7] },
];

const figures: AnswerFigures = {
  answer: "Yes.",
  stopReason: "end",
  model: "smollm2",
  documentTokens: 100,
  promptTokens: 150,
  contextLength: 1024,
  cachedTokens: 64,
  restoredTokens: 0,
  evaluatedTokens: 86,
  answerTokens: 2,
  policy: "full",
  mode: "question",
  share: "score",
  rereadTokens: 0,
  scoredFor: null,
  startedOver: null,
  evictions: 0,
  answerEvictions: 0,
  scoredRows: 0,
  budget: "full",
  keptTokens: null,
  documents: [],
  evidence: [],
  scoresStored: false,
  kvType: "f16",
  seed: 7,
  fullCacheBytes: 1,
  keptCacheBytes: 1,
  peakRssBytes: 1,
  timings: { extractMs: 0, restoreMs: 0, prefillMs: 1.5, scoringMs: 0, evictionMs: 0, snapshotMs: 0, firstTokenMs: 2, decodeMs: 3 },
  prefillTokensPerSecond: 100,
  decodeTokensPerSecond: 20,
};

function turn(id: string, over: Partial<Turn> = {}): Turn {
  return { id, question: `Question ${id}?`, answer: "", status: "writing", figures: null, problem: null, createdAt: 1_000, ...over };
}

const ids = (history: History, conversation: string) => history.getConversation(conversation).turns.map((present) => present.id);

describe("conversations", () => {
  it("keep their pins, until the document goes", () => {
    const first = open();
    const [one, two] = ["1".repeat(64), "2".repeat(64)];
    const about = [one, two].map((documentId) => ({ documentId, pages: null }));
    first.createConversation("c1", about, 500);
    const pins = [one, two].map((documentId) => ({ documentId, page: 3, start: 4, end: 9 }));
    expect(first.setPins("c1", pins, 600)).toMatchObject({ pins, updatedAt: 600 });
    expect(() => first.setPins("c2", pins, 600)).toThrow("deleted");
    const again = open();
    expect(again.getConversation("c1").pins).toEqual(pins);
    expect(again.setDocuments("c1", about.slice(1), 700).pins).toEqual(pins.slice(1));
    // Pins that cannot be read hide nothing else.
    besides((database) => database.exec("UPDATE conversations SET pins = 'broken'"));
    expect(again.getConversation("c1")).toMatchObject({ pins: [], documents: about.slice(1) });
  });

  it("are there after reopening, in a folder with quotes, spaces and other letters", () => {
    const first = open();
    const created = first.createConversation("c1", documents, 500);
    expect(created).toEqual({
      id: "c1",
      title: "",
      createdAt: 500,
      updatedAt: 500,
      documents,
      pins: [],
      choice: null,
      draft: "",
      turns: [],
      versions: {},
    });
    const asked = turn("t1", { question: "Was it's “größer” 大?\n'; DROP TABLE turns; --" });
    first.addTurn("c1", asked, null);
    const answered: Turn = { ...asked, answer: "Ja — 是 🙂.", status: "done", figures };
    first.finishTurn(answered, 2_000);
    first.close();
    opened.splice(0);

    expect(open().getConversation("c1")).toEqual({
      id: "c1",
      title: "Was it's “größer” 大?",
      createdAt: 500,
      updatedAt: 2_000,
      documents,
      pins: [],
      choice: null,
      draft: "",
      turns: [answered],
      versions: {},
    });
    expect(existsSync(file)).toBe(true);
  });

  it("are listed latest first, with their number of turns", () => {
    const history = open();
    history.createConversation("old", [], 10);
    history.createConversation("new", [], 20);
    history.createConversation("same time", [], 20);
    expect(history.listConversations().map((conversation) => conversation.id)).toEqual(["same time", "new", "old"]);
    history.addTurn("old", turn("t1", { createdAt: 30 }), null);
    history.addTurn("old", turn("t2", { createdAt: 31 }), null);
    expect(history.listConversations().map(({ id, turns, updatedAt }) => [id, turns, updatedAt])).toEqual([
      ["old", 2, 31],
      ["same time", 0, 20],
      ["new", 0, 20],
    ]);
  });

  it("take other documents and another name, which no question changes again", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.addTurn("c1", turn("t1", { question: "First question" }), null);
    expect(history.getConversation("c1").title).toBe("First question");
    expect(history.setDocuments("c1", documents, 1_100)).toMatchObject({ documents, updatedAt: 1_100 });
    expect(history.rename("c1", "It's “mine”", 1_200)).toMatchObject({ title: "It's “mine”", updatedAt: 1_200 });
    history.addTurn("c1", turn("t2", { question: "Second question" }), null);
    expect(history.getConversation("c1").title).toBe("It's “mine”");
  });

  it("keep what is typed and not sent, in their place in the list", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.createConversation("c2", [], 20);
    history.setDraft("c1", "Half a que\0stion\n“with” lines");
    expect(open().getConversation("c1").draft).toBe("Half a que\ufffdstion\n“with” lines");
    expect(history.listConversations().map(({ id }) => id)).toEqual(["c2", "c1"]);
    history.setDraft("c1", "");
    expect(history.getConversation("c1")).toMatchObject({ draft: "", updatedAt: 10 });
    expect(() => history.setDraft("nowhere", "x")).toThrow(expect.objectContaining({ code: "conversation-unknown" }));
  });

  it("that are deleted come back as they were, until the history is closed", () => {
    const history = open();
    for (const id of ["c1", "c2"]) {
      history.createConversation(id, documents, 10);
      history.addTurn(id, turn(`t of ${id}`), null);
    }
    const before = history.getConversation("c1");
    history.deleteConversation("c1", 20);
    expect(history.listConversations().map((conversation) => conversation.id)).toEqual(["c2"]);
    expect(() => history.getConversation("c1")).toThrow(expect.objectContaining({ code: "conversation-unknown" }));
    expect(history.restoreConversation("c1")).toEqual(before);
    expect(history.listConversations()).toHaveLength(2);

    history.deleteConversation("c1", 30);
    history.close();
    opened.splice(0);
    const next = open();
    expect(() => next.restoreConversation("c1")).toThrow(expect.objectContaining({ code: "conversation-unknown" }));
    expect(ids(next, "c2")).toEqual(["t of c2"]);
    expect(besides((database) => database.prepare("SELECT id FROM turns").all())).toHaveLength(1);
  });

  it("that were deleted before a crash are gone at the next start", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.addTurn("c1", turn("t1", { status: "done", answer: "Whole" }), null);
    history.deleteConversation("c1", 20);
    const next = open();
    expect(() => next.restoreConversation("c1")).toThrow("deleted");
    expect(besides((database) => database.prepare("SELECT id FROM turns").all())).toEqual([]);
  });

  it("that are unknown are named so by every call", () => {
    const history = open();
    const unknown = expect.objectContaining({ code: "conversation-unknown" });
    expect(() => history.getConversation("nowhere")).toThrow(unknown);
    expect(() => history.setDocuments("nowhere", [], 1)).toThrow(unknown);
    expect(() => history.rename("nowhere", "x", 1)).toThrow(unknown);
    expect(() => history.addTurn("nowhere", turn("t1"), null)).toThrow(unknown);
    expect(besides((database) => database.prepare("SELECT id FROM turns").all())).toEqual([]);
  });
});

describe("turns", () => {
  const asked = (history: History, id: string, replaced: string | null = null) =>
    history.addTurn("c1", turn(id, { status: "done", answer: `Answer ${id}` }), replaced);

  it("that replace others stand beside them, and each version is shown with what follows it", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    for (const id of ["t1", "t2", "t3"]) asked(history, id);
    asked(history, "t2b", "t2");
    expect(ids(history, "c1")).toEqual(["t1", "t2b"]);
    expect(history.getConversation("c1").versions).toEqual({ t2b: ["t2", "t2b"] });
    asked(history, "t3b");
    asked(history, "t3c", "t3b");
    expect(ids(history, "c1")).toEqual(["t1", "t2b", "t3c"]);
    expect(history.listConversations()).toMatchObject([{ turns: 3 }]);

    const other = history.showTurn("c1", "t2");
    expect(other.turns.map(({ id }) => id)).toEqual(["t1", "t2", "t3"]);
    expect(other.versions).toEqual({ t2: ["t2", "t2b"] });
    // Going back finds what was last in view there, and any turn can be brought into view with those before it.
    expect(history.showTurn("c1", "t2b").turns.map(({ id }) => id)).toEqual(["t1", "t2b", "t3c"]);
    history.showTurn("c1", "t2");
    expect(history.showTurn("c1", "t3b").turns.map(({ id }) => id)).toEqual(["t1", "t2b", "t3b"]);

    asked(history, "t1b", "t1");
    expect(ids(history, "c1")).toEqual(["t1b"]);
    expect(open().getConversation("c1")).toMatchObject({ turns: [{ id: "t1b" }], versions: { t1b: ["t1", "t1b"] } });
  });

  it("are led to by the same turns whatever is in view", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    for (const id of ["t1", "t2"]) asked(history, id);
    asked(history, "t1b", "t1");
    expect(history.turnsBefore("c1", "t2").map(({ id }) => id)).toEqual(["t1"]);
    expect(history.turnsBefore("c1", null).map(({ id }) => id)).toEqual(["t1b"]);
    expect(history.turnsBefore("c1", "t1")).toEqual([]);
    expect(() => history.turnsBefore("c1", "gone")).toThrow(expect.objectContaining({ code: "conversation-unknown" }));
  });

  it("of which nothing was written make room for the next version", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.addTurn("c1", turn("t1", { status: "stopped" }), null);
    asked(history, "t1b", "t1");
    expect(history.getConversation("c1")).toMatchObject({ turns: [{ id: "t1b" }], versions: {} });
    asked(history, "t2");
    asked(history, "t1c", "t1b");
    expect(history.getConversation("c1").versions).toEqual({ t1c: ["t1b", "t1c"] });
  });

  it("change nothing where the turn to replace is not there, or is another conversation's", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.createConversation("c2", [], 10);
    history.addTurn("c1", turn("t1"), null);
    history.addTurn("c2", turn("other"), null);
    for (const replaced of ["gone", "other"]) {
      expect(() => history.addTurn("c1", turn("t2"), replaced)).toThrow(expect.objectContaining({ code: "conversation-unknown" }));
    }
    expect([ids(history, "c1"), ids(history, "c2")]).toEqual([["t1"], ["other"]]);
  });

  it("keep how they ended: with figures, or with a problem", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    const problem = { code: "model-memory", message: "There was no room.", detail: "alloc" } as const;
    const failed = turn("t1", { answer: "Half", status: "failed", problem });
    history.addTurn("c1", turn("t1"), null);
    history.finishTurn(failed, 20);
    history.addTurn("c1", turn("t2"), null);
    const done = turn("t2", { answer: "Whole", status: "done", figures: { ...figures, budget: 128, seed: 4_294_967_295 } });
    history.finishTurn(done, 30);
    expect(history.getConversation("c1").turns).toEqual([failed, done]);
  });

  it("are found interrupted after a crash, with the answer as far as it was written down", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.addTurn("c1", turn("t1", { status: "done", answer: "Whole" }), null);
    history.addTurn("c1", turn("t2"), null);
    history.updateAnswer("t2", "The answer is");
    // No close: the process was killed. What every call wrote is on disk when it returns.
    const next = open();
    expect(next.getConversation("c1").turns.map(({ answer, status }) => [answer, status])).toEqual([
      ["Whole", "done"],
      ["The answer is", "interrupted"],
    ]);
  });

  it("are kept whole where a model or a pasted text wrote a NUL", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.addTurn("c1", turn("t1", { question: "a\0b" }), null);
    history.updateAnswer("t1", "c\0d");
    expect(history.getConversation("c1")).toMatchObject({ title: "a\uFFFDb", turns: [{ question: "a\uFFFDb", answer: "c\uFFFDd" }] });
    history.finishTurn(turn("t1", { answer: "e\0f", status: "done" }), 20);
    expect(history.rename("c1", "g\0h", 30)).toMatchObject({ title: "g\uFFFDh", turns: [{ answer: "e\uFFFDf" }] });
  });

  it("do not come back when they end after they were replaced or deleted", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    history.addTurn("c1", turn("t1"), null);
    history.addTurn("c1", turn("t2"), "t1");
    history.updateAnswer("t1", "late");
    history.finishTurn(turn("t1", { status: "done", answer: "late" }), 99);
    expect(history.getConversation("c1")).toMatchObject({ updatedAt: 1_000, turns: [{ id: "t2" }] });
  });

  it("are seen whole or not at all by another reader while they are written", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    for (const id of ["t1", "t2", "t3"]) history.addTurn("c1", turn(id, { status: "done" }), null);
    besides((reader) => {
      const count = reader.prepare("SELECT count(*) AS turns FROM turns");
      reader.exec("BEGIN");
      expect(count.get()).toMatchObject({ turns: 3 });
      // A writer does not wait for the reader, and the reader's picture does not change under it.
      history.addTurn("c1", turn("t4"), null);
      history.addTurn("c1", turn("t1b"), "t1");
      expect(count.get()).toMatchObject({ turns: 3 });
      reader.exec("COMMIT");
      expect(count.get()).toMatchObject({ turns: 5 });
    });
  });
});

describe("the library", () => {
  const entry = (id: string, openedAt: number, over: Partial<LibraryEntry> = {}): LibraryEntry => ({
    title: null,
    tokens: null,
    id: id.repeat(64),
    name: `${id}.pdf`,
    path: `/a folder/it's/${id} 文.pdf`,
    kind: "pdf",
    bytes: 5_000_000_000,
    pages: 12,
    locked: false,
    openedAt,
    ...over,
  });

  it("lists documents latest first, each once however often it was opened", () => {
    const history = open();
    history.rememberDocument(entry("a", 10));
    history.rememberDocument(entry("b", 20, { locked: true }));
    history.rememberDocument(entry("c", 30, { kind: "markdown", pages: 0, bytes: 0 }));
    const moved = entry("a", 40, { path: "/elsewhere/a.pdf" });
    history.rememberDocument(moved);
    expect(history.listLibrary()).toEqual([
      moved,
      entry("c", 30, { kind: "markdown", pages: 0, bytes: 0 }),
      entry("b", 20, { locked: true }),
    ]);
  });

  it("keeps what was counted and drawn of a document when it is opened again, and forgets it with it", () => {
    const history = open();
    const id = "a".repeat(64);
    const thumbnail = { width: 2, height: 1, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) };
    history.rememberTokens(id, 9, "nobody");
    history.rememberThumbnail(id, thumbnail);
    expect(history.listLibrary()).toEqual([]);
    expect(history.thumbnailOf(id)).toBeNull();
    history.rememberDocument(entry("a", 10));
    expect(history.thumbnailOf(id)).toBeNull();
    history.rememberTokens(id, 1234, "small");
    history.rememberThumbnail(id, thumbnail);
    history.rememberDocument(entry("a", 20, { title: "A title" }));
    expect(history.listLibrary()).toEqual([entry("a", 20, { title: "A title", tokens: { count: 1234, model: "small" } })]);
    expect(history.thumbnailOf(id)).toEqual(thumbnail);
    history.forgetDocument(id);
    expect(history.thumbnailOf(id)).toBeNull();
  });

  it("forgets one document and keeps the conversations about it", () => {
    const history = open();
    history.rememberDocument(entry("a", 10));
    history.rememberDocument(entry("b", 20));
    history.createConversation("c1", [{ documentId: "a".repeat(64), pages: null }], 10);
    history.forgetDocument("a".repeat(64));
    history.forgetDocument("f".repeat(64));
    expect(history.listLibrary().map((document) => document.name)).toEqual(["b.pdf"]);
    expect(history.getConversation("c1").documents).toHaveLength(1);
  });
});

describe("a damaged row", () => {
  it.each(["{", "[]", "null", "", '{"answer":3}'])("with %j for figures or problem costs only these", (broken) => {
    const history = open();
    history.createConversation("c1", documents, 10);
    history.addTurn("c1", turn("t1"), null);
    history.finishTurn(turn("t1", { status: "done", answer: "Whole", figures }), 20);
    besides((database) => database.prepare("UPDATE turns SET figures = ?, problem = ?").run(broken, broken));
    expect(history.getConversation("c1").turns).toEqual([turn("t1", { status: "done", answer: "Whole" })]);
  });

  it("with unreadable documents leaves the conversation to be read", () => {
    const history = open();
    history.createConversation("c1", documents, 10);
    history.addTurn("c1", turn("t1", { status: "done", answer: "Whole" }), null);
    besides((database) => database.prepare("UPDATE conversations SET documents = ?").run('[{"documentId":"?"}]'));
    expect(history.getConversation("c1")).toMatchObject({ documents: [], turns: [{ answer: "Whole" }] });
    history.addTurn("c1", turn("t2"), null);
    expect(ids(history, "c1")).toEqual(["t1", "t2"]);
  });

  it("does not take the others out of a list", () => {
    const history = open();
    for (const id of ["c1", "c2"]) history.createConversation(id, [], 10);
    for (const id of ["a", "b"]) {
      history.rememberDocument({
        id: id.repeat(64),
        name: id,
        path: `/${id}`,
        kind: "text",
        title: null,
        bytes: 1,
        pages: 1,
        locked: false,
        openedAt: 5,
      });
    }
    besides((database) => {
      database.prepare("UPDATE conversations SET created_at = 'yesterday', documents = '{' WHERE id = 'c1'").run();
      database.prepare("UPDATE documents SET kind = 'scroll' WHERE name = 'a'").run();
    });
    expect(history.listConversations().map((conversation) => conversation.id)).toEqual(["c2"]);
    expect(history.listLibrary().map((document) => document.name)).toEqual(["b"]);
  });
});

describe("opening", () => {
  it("keeps nothing on disk for the command line", () => {
    const history = open(":memory:");
    history.createConversation("c1", [], 10);
    expect(history.listConversations()).toHaveLength(1);
    expect(existsSync(":memory:")).toBe(false);
  });

  it.each(["delete", "wal"])("refuses a file of a newer version and leaves it as it is (journal: %s)", async (journal) => {
    await mkdir(join(file, ".."), { recursive: true });
    besides((database) => {
      database.pragma(`journal_mode = ${journal}`);
      database.exec("CREATE TABLE turns (id TEXT, status TEXT); INSERT INTO turns VALUES ('t1', 'writing'); PRAGMA user_version = 999;");
    });
    const before = await readFile(file);
    const beside = await readdir(join(file, ".."));
    expect(() => openHistory(file)).toThrow(
      expect.objectContaining({ code: "storage", message: expect.stringMatching(/newer version/), detail: expect.stringContaining("999") }),
    );
    expect((await readFile(file)).equals(before)).toBe(true);
    expect(await readdir(join(file, ".."))).toEqual(beside);
  });

  it("says in a sentence that there is no place for the file", async () => {
    await writeFile(join(folder, "occupied"), "");
    expect(() => openHistory(join(folder, "occupied", "longsight.db"))).toThrow(expect.objectContaining({ code: "storage" }));
    await mkdir(join(folder, "a folder"));
    expect(() => openHistory(join(folder, "a folder"))).toThrow(expect.objectContaining({ code: "storage" }));
  });
});

describe("a database that fails later", () => {
  it("is a storage problem with a sentence, not a stack", () => {
    const history = open();
    history.createConversation("c1", [], 10);
    besides((database) => database.exec("DROP TABLE turns"));
    const problem = expect.objectContaining({
      code: "storage",
      message: expect.stringMatching(/conversations/),
      detail: expect.stringContaining(file),
    });
    expect(() => history.updateAnswer("t1", "x")).toThrow(problem);
    expect(() => history.addTurn("c1", turn("t1"), null)).toThrow(problem);
    expect(() => history.listConversations()).toThrow(problem);
  });
});
