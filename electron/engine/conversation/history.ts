import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { z } from "zod";
import {
  answerFiguresSchema,
  type Conversation,
  type ConversationSummary,
  conversationSchema,
  conversationSummarySchema,
  type Turn,
  turnSchema,
} from "../../contract/conversation.ts";
import { type DocumentChoice, documentChoiceSchema, type LibraryEntry, libraryEntrySchema } from "../../contract/document.ts";
import { LongsightError, problemSchema } from "../../contract/errors.ts";
import { migrations } from "./migrations.ts";

/**
 * Conversations and the library, in one SQLite file. Every call is a transaction of its own and is on disk when it returns.
 * Each throws LongsightError `storage` where the file cannot be read or written any more.
 */
export type History = {
  listConversations(): ConversationSummary[];
  createConversation(id: string, documents: readonly DocumentChoice[], now: number): Conversation;
  /** @throws LongsightError `conversation-unknown` */
  getConversation(id: string): Conversation;
  setDocuments(id: string, documents: readonly DocumentChoice[], now: number): Conversation;
  rename(id: string, title: string, now: number): Conversation;
  deleteConversation(id: string): void;
  /** Writes a new turn down, in place of `replaceTurnId` and all turns after it where that is given. */
  addTurn(conversationId: string, turn: Turn, replaceTurnId: string | null): void;
  /** The answer so far; cheap, called while it is written. */
  updateAnswer(turnId: string, answer: string): void;
  finishTurn(turn: Turn, now: number): void;
  listLibrary(): LibraryEntry[];
  rememberDocument(entry: LibraryEntry): void;
  forgetDocument(id: string): void;
  close(): void;
};

const jsonOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text, context) => {
      try {
        const value: unknown = JSON.parse(text);
        return value;
      } catch {
        context.addIssue({ code: "custom", message: "not JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

const conversationRow = z.object({
  id: z.string(),
  title: z.string(),
  documents: jsonOf(z.array(documentChoiceSchema)).catch([]),
  createdAt: z.number(),
  updatedAt: z.number(),
});

const turnRow = turnSchema.omit({ figures: true, problem: true }).extend({
  figures: jsonOf(answerFiguresSchema).nullable().catch(null),
  problem: jsonOf(problemSchema).nullable().catch(null),
});

const libraryRow = libraryEntrySchema.extend({ locked: z.number().transform((value) => value !== 0) });

/** The rows that can be read: a damaged one does not hide the others. */
function readable<Schema extends z.ZodType>(schema: Schema, rows: readonly unknown[]): z.output<Schema>[] {
  return rows.map((row) => schema.safeParse(row)).flatMap((parsed) => (parsed.success ? [parsed.data] : []));
}

/** libsql reads a text only up to its first NUL. */
const withoutNul = (text: string) => text.replaceAll("\0", "\uFFFD");

const conversationColumns = "id, title, documents, created_at AS createdAt, updated_at AS updatedAt";
const turnColumns = "id, question, answer, status, figures, problem, created_at AS createdAt";

/**
 * Opens (or creates) the history. Answers that were being written when a process died are marked `interrupted`.
 * @param file path of the database, or ":memory:" for the command line, which keeps nothing
 * @throws LongsightError `storage`
 */
export function openHistory(file: string): History {
  const database = stored(file, "opened", () => open(file));
  return new Proxy(historyIn(database), {
    get(history, name, receiver) {
      const member: unknown = Reflect.get(history, name, receiver);
      if (typeof member !== "function") return member;
      return (...values: unknown[]): unknown => stored(file, "read or changed", () => Reflect.apply(member, history, values));
    },
  });
}

/** Runs `work`; what SQLite or the disk has against it becomes a `storage` problem. */
function stored<Result>(file: string, what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof LongsightError) throw error;
    throw new LongsightError(
      "storage",
      `The conversations could not be ${what}: check that the disk has room and that Longsight may write to its folder.`,
      `${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function open(file: string): Database.Database {
  if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
  const database = new Database(file);
  try {
    const version = versionOf(database, file);
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    database.pragma("busy_timeout = 3000");
    migrate(database, file, version);
    database.prepare("UPDATE turns SET status = 'interrupted' WHERE status = 'writing'").run();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function historyIn(database: Database.Database): History {
  const inTransaction = (work: () => void) => database.transaction(work)();
  const touch = database.prepare("UPDATE conversations SET updated_at = ? WHERE id = ?");

  const getConversation = (id: string): Conversation => {
    const row: unknown = database.prepare(`SELECT ${conversationColumns} FROM conversations WHERE id = ?`).get(id);
    if (row === undefined) throw new LongsightError("conversation-unknown", "This conversation was deleted.");
    const turns: unknown[] = database.prepare(`SELECT ${turnColumns} FROM turns WHERE conversation_id = ? ORDER BY position`).all(id);
    return conversationSchema.parse({ ...conversationRow.parse(row), turns: turns.map((turn) => turnRow.parse(turn)) });
  };

  return {
    listConversations() {
      const rows: unknown[] = database
        .prepare(
          `SELECT ${conversationColumns}, (SELECT count(*) FROM turns WHERE conversation_id = conversations.id) AS turns
           FROM conversations ORDER BY updated_at DESC, rowid DESC`,
        )
        .all();
      return readable(conversationSummarySchema, rows);
    },
    createConversation(id, documents, now) {
      database
        .prepare("INSERT INTO conversations (id, title, documents, created_at, updated_at) VALUES (?, '', ?, ?, ?)")
        .run(id, JSON.stringify(documents), now, now);
      return getConversation(id);
    },
    getConversation,
    setDocuments(id, documents, now) {
      getConversation(id);
      database.prepare("UPDATE conversations SET documents = ?, updated_at = ? WHERE id = ?").run(JSON.stringify(documents), now, id);
      return getConversation(id);
    },
    rename(id, title, now) {
      getConversation(id);
      database.prepare("UPDATE conversations SET title = ?, updated_at = ? WHERE id = ?").run(withoutNul(title), now, id);
      return getConversation(id);
    },
    deleteConversation(id) {
      inTransaction(() => {
        database.prepare("DELETE FROM turns WHERE conversation_id = ?").run(id);
        database.prepare("DELETE FROM conversations WHERE id = ?").run(id);
      });
    },
    addTurn(conversationId, turn, replaceTurnId) {
      const conversation = getConversation(conversationId);
      const replaced = conversation.turns.findIndex((present) => present.id === replaceTurnId);
      if (replaceTurnId !== null && replaced < 0) {
        throw new LongsightError("conversation-unknown", "The question to change is not in this conversation any more.");
      }
      const position = replaceTurnId === null ? conversation.turns.length : replaced;
      inTransaction(() => {
        database.prepare("DELETE FROM turns WHERE conversation_id = ? AND position >= ?").run(conversationId, position);
        database
          .prepare("INSERT INTO turns (id, conversation_id, position, question, answer, status, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)")
          .run(turn.id, conversationId, position, withoutNul(turn.question), withoutNul(turn.answer), turn.status, turn.createdAt);
        database
          .prepare("UPDATE conversations SET title = ? WHERE id = ? AND title = ''")
          .run(withoutNul(titleOf(turn.question)), conversationId);
        touch.run(turn.createdAt, conversationId);
      });
    },
    updateAnswer(turnId, answer) {
      database.prepare("UPDATE turns SET answer = ? WHERE id = ?").run(withoutNul(answer), turnId);
    },
    finishTurn(turn, now) {
      inTransaction(() => {
        database
          .prepare("UPDATE turns SET answer = ?, status = ?, figures = ?, problem = ? WHERE id = ?")
          .run(
            withoutNul(turn.answer),
            turn.status,
            turn.figures === null ? null : JSON.stringify(turn.figures),
            turn.problem === null ? null : JSON.stringify(turn.problem),
            turn.id,
          );
        database
          .prepare("UPDATE conversations SET updated_at = ? WHERE id = (SELECT conversation_id FROM turns WHERE id = ?)")
          .run(now, turn.id);
      });
    },
    listLibrary() {
      const rows: unknown[] = database
        .prepare("SELECT id, name, path, kind, bytes, pages, locked, opened_at AS openedAt FROM documents ORDER BY opened_at DESC")
        .all();
      return readable(libraryRow, rows);
    },
    rememberDocument(entry) {
      database
        .prepare("INSERT OR REPLACE INTO documents (id, name, path, kind, bytes, pages, locked, opened_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        .run(entry.id, entry.name, entry.path, entry.kind, entry.bytes, entry.pages, entry.locked ? 1 : 0, entry.openedAt);
    },
    forgetDocument(id) {
      database.prepare("DELETE FROM documents WHERE id = ?").run(id);
    },
    close() {
      database.close();
    },
  };
}

/** A conversation's title until the person gives it one: the first question's first line, cut at a word. */
export function titleOf(question: string): string {
  const line = question.trim().split("\n")[0]?.trim() ?? "";
  // By characters: half a surrogate pair is none.
  const characters = Array.from(line);
  if (characters.length <= 60) return line;
  const cut = characters.slice(0, 60).join("");
  const space = cut.lastIndexOf(" ");
  return `${space > 30 ? cut.slice(0, space) : cut}…`;
}

/** @throws LongsightError `storage` for the schema of a newer Longsight, before anything is changed */
function versionOf(database: Database.Database, file: string): number {
  const row: unknown = database.prepare("PRAGMA user_version").get();
  const version = z.object({ user_version: z.number() }).parse(row).user_version;
  if (version > migrations.length) {
    throw new LongsightError(
      "storage",
      "These conversations were written by a newer version of Longsight. Install that version to open them; nothing was changed.",
      `${file}: schema ${version}, this version knows ${migrations.length}`,
    );
  }
  return version;
}

function migrate(database: Database.Database, file: string, version: number): void {
  if (version === migrations.length) return;
  if (version > 0 && existsSync(file)) {
    database.pragma("wal_checkpoint(TRUNCATE)");
    copyFileSync(file, `${file}.before-${version + 1}`);
  }
  migrations.slice(version).forEach((statements, index) => {
    database.transaction(() => {
      database.exec(statements);
      database.exec(`PRAGMA user_version = ${version + index + 1}`);
    })();
  });
}
