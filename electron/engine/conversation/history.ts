import type Database from "libsql";
import { z } from "zod";
import {
  answerFiguresSchema,
  type Conversation,
  type ConversationSummary,
  conversationSchema,
  conversationSummarySchema,
  type Turn,
  turnSchema,
  turnStatusSchema,
} from "../../contract/conversation.ts";
import {
  type DocumentChoice,
  documentChoiceSchema,
  type LibraryEntry,
  libraryEntrySchema,
  type Thumbnail,
  thumbnailSchema,
} from "../../contract/document.ts";
import { LongsightError, problemSchema } from "../../contract/errors.ts";
import { type Pin, pinSchema } from "../../contract/pin.ts";
import { changing, isBusy, openHistoryFile, stored } from "./historyFile.ts";

/**
 * Conversations and the library, in one SQLite file. Every call is a transaction of its own and is on disk when it returns.
 * Each throws LongsightError `storage` where the file cannot be read or written any more.
 */
export type History = {
  /** What opening the file found that the person should be told. */
  readonly notices: readonly string[];
  listConversations(): ConversationSummary[];
  createConversation(id: string, documents: readonly DocumentChoice[], now: number): Conversation;
  /** @throws LongsightError `conversation-unknown` */
  getConversation(id: string): Conversation;
  /** Pins of documents that are left out go with them. */
  setDocuments(id: string, documents: readonly DocumentChoice[], now: number): Conversation;
  setPins(id: string, pins: readonly Pin[], now: number): Conversation;
  rename(id: string, title: string, now: number): Conversation;
  deleteConversation(id: string): void;
  /** Writes a new turn down, in place of `replaceTurnId` and all turns after it where that is given. */
  addTurn(conversationId: string, turn: Turn, replaceTurnId: string | null): void;
  /** The answer so far; cheap, called while it is written. */
  updateAnswer(turnId: string, answer: string): void;
  finishTurn(turn: Turn, now: number): void;
  listLibrary(): LibraryEntry[];
  /** What was counted and drawn of a document stays: its id is its content. */
  rememberDocument(entry: Omit<LibraryEntry, "tokens">): void;
  /** Of a document in the library; another one is left alone. */
  rememberTokens(id: string, count: number, model: string): void;
  rememberThumbnail(id: string, thumbnail: Thumbnail): void;
  thumbnailOf(id: string): Thumbnail | null;
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
  pins: jsonOf(z.array(pinSchema)).catch([]),
  createdAt: z.number(),
  updatedAt: z.number(),
});

const turnRow = turnSchema.omit({ status: true, figures: true, problem: true }).extend({
  status: turnStatusSchema.catch("interrupted"),
  figures: jsonOf(answerFiguresSchema).nullable().catch(null),
  problem: jsonOf(problemSchema).nullable().catch(null),
});

const libraryRow = libraryEntrySchema
  .omit({ tokens: true })
  .extend({ locked: z.number().transform((value) => value !== 0), count: z.number().nullable(), model: z.string().nullable() })
  .transform(({ count, model, ...entry }) => ({ ...entry, tokens: count === null || model === null ? null : { count, model } }));

const thumbnailRow = z
  .object({ pixels: z.instanceof(Uint8Array), width: z.number().int().positive() })
  .transform(({ pixels, width }) => ({ pixels: Uint8Array.from(pixels), width, height: pixels.length / 3 / width }))
  .pipe(thumbnailSchema);

/** The rows that can be read: a damaged one does not hide the others. */
function readable<Schema extends z.ZodType>(schema: Schema, rows: readonly unknown[]): z.output<Schema>[] {
  return rows.map((row) => schema.safeParse(row)).flatMap((parsed) => (parsed.success ? [parsed.data] : []));
}

/** libsql reads a text only up to its first NUL. */
const withoutNul = (text: string) => text.replaceAll("\0", "\uFFFD");

const conversationColumns = "id, title, documents, pins, created_at AS createdAt, updated_at AS updatedAt";
const turnColumns = "id, question, answer, status, figures, problem, created_at AS createdAt";

/**
 * Opens (or creates) the history. Answers that were being written when a process died are marked `interrupted`. A damaged file is
 * put aside and a new one begun; the notices say so.
 * @param file path of the database, or ":memory:" for the command line, which keeps nothing
 * @throws LongsightError `storage`
 */
export function openHistory(file: string): History {
  const { database, notices } = openHistoryFile(file);
  return new Proxy(historyIn(database, notices), {
    get(history, name, receiver) {
      const member: unknown = Reflect.get(history, name, receiver);
      if (typeof member !== "function") return member;
      return (...values: unknown[]): unknown => stored(file, "read or changed", () => Reflect.apply(member, history, values));
    },
  });
}

function historyIn(database: Database.Database, notices: readonly string[]): History {
  const change = <Result>(work: () => Result): Result => changing(database, work);
  const touch = database.prepare("UPDATE conversations SET updated_at = ? WHERE id = ?");

  const getConversation = (id: string): Conversation => {
    const row: unknown = database.prepare(`SELECT ${conversationColumns} FROM conversations WHERE id = ?`).get(id);
    if (row === undefined) throw new LongsightError("conversation-unknown", "This conversation was deleted.");
    const turns: unknown[] = database.prepare(`SELECT ${turnColumns} FROM turns WHERE conversation_id = ? ORDER BY position`).all(id);
    return conversationSchema.parse({ ...conversationRow.parse(row), turns: readable(turnRow, turns) });
  };

  /** Where a new turn goes. By what the table holds: a turn that cannot be read has its place too. */
  const positionFor = (conversationId: string, replaceTurnId: string | null): number => {
    const row: unknown =
      replaceTurnId === null
        ? database.prepare("SELECT coalesce(max(position) + 1, 0) AS position FROM turns WHERE conversation_id = ?").get(conversationId)
        : database.prepare("SELECT position FROM turns WHERE conversation_id = ? AND id = ?").get(conversationId, replaceTurnId);
    if (row === undefined) {
      throw new LongsightError("conversation-unknown", "The question to change is not in this conversation any more.");
    }
    return z.object({ position: z.number() }).parse(row).position;
  };

  return {
    notices,
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
      return change(() => {
        database
          .prepare("INSERT INTO conversations (id, title, documents, created_at, updated_at) VALUES (?, '', ?, ?, ?)")
          .run(id, JSON.stringify(documents), now, now);
        return getConversation(id);
      });
    },
    getConversation,
    setDocuments(id, documents, now) {
      return change(() => {
        const pins = getConversation(id).pins.filter((pin) => documents.some(({ documentId }) => documentId === pin.documentId));
        database
          .prepare("UPDATE conversations SET documents = ?, pins = ?, updated_at = ? WHERE id = ?")
          .run(JSON.stringify(documents), JSON.stringify(pins), now, id);
        return getConversation(id);
      });
    },
    setPins(id, pins, now) {
      return change(() => {
        getConversation(id);
        database.prepare("UPDATE conversations SET pins = ?, updated_at = ? WHERE id = ?").run(JSON.stringify(pins), now, id);
        return getConversation(id);
      });
    },
    rename(id, title, now) {
      return change(() => {
        getConversation(id);
        database.prepare("UPDATE conversations SET title = ?, updated_at = ? WHERE id = ?").run(withoutNul(title), now, id);
        return getConversation(id);
      });
    },
    deleteConversation(id) {
      change(() => {
        database.prepare("DELETE FROM turns WHERE conversation_id = ?").run(id);
        database.prepare("DELETE FROM conversations WHERE id = ?").run(id);
      });
    },
    addTurn(conversationId, turn, replaceTurnId) {
      change(() => {
        getConversation(conversationId);
        const position = positionFor(conversationId, replaceTurnId);
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
      try {
        change(() => database.prepare("UPDATE turns SET answer = ? WHERE id = ?").run(withoutNul(answer), turnId));
      } catch (error) {
        // The next one, or finishTurn, writes the whole answer; a backup that runs must not end it.
        if (!isBusy(error)) throw error;
      }
    },
    finishTurn(turn, now) {
      change(() => {
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
        .prepare(
          `SELECT id, name, path, kind, bytes, pages, locked, title, tokens AS count, tokens_model AS model, opened_at AS openedAt
           FROM documents ORDER BY opened_at DESC`,
        )
        .all();
      return readable(libraryRow, rows);
    },
    rememberDocument(entry) {
      change(() =>
        database
          .prepare(
            `INSERT INTO documents (id, name, path, kind, bytes, pages, locked, title, opened_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, path = excluded.path, kind = excluded.kind, bytes = excluded.bytes,
             pages = excluded.pages, locked = excluded.locked, title = excluded.title, opened_at = excluded.opened_at`,
          )
          .run(
            entry.id,
            entry.name,
            entry.path,
            entry.kind,
            entry.bytes,
            entry.pages,
            entry.locked ? 1 : 0,
            entry.title === null ? null : withoutNul(entry.title),
            entry.openedAt,
          ),
      );
    },
    rememberTokens(id, count, model) {
      change(() => database.prepare("UPDATE documents SET tokens = ?, tokens_model = ? WHERE id = ?").run(count, model, id));
    },
    rememberThumbnail(id, { width, pixels }) {
      change(() =>
        database
          .prepare("UPDATE documents SET thumbnail = ?, thumbnail_width = ? WHERE id = ?")
          .run(Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength), width, id),
      );
    },
    thumbnailOf(id) {
      const row: unknown = database.prepare("SELECT thumbnail AS pixels, thumbnail_width AS width FROM documents WHERE id = ?").get(id);
      const parsed = thumbnailRow.safeParse(row);
      return parsed.success ? parsed.data : null;
    },
    forgetDocument(id) {
      change(() => database.prepare("DELETE FROM documents WHERE id = ?").run(id));
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
