import type Database from "libsql";
import {
  type Conversation,
  type ConversationChoice,
  type ConversationSummary,
  conversationSchema,
  type Turn,
} from "../../contract/conversation.ts";
import type { DocumentChoice, LibraryEntry, Thumbnail } from "../../contract/document.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { Said } from "../../contract/messages/fill.ts";
import type { Pin } from "../../contract/pin.ts";
import { type Message, noticesOf, say } from "../../contract/said.ts";
import type { AskedWord } from "../search/excerpt.ts";
import { titleOf } from "./conversationTitle.ts";
import { changing, isBusy, mendIndex, openHistoryFile, purgeDeleted, stored } from "./historyFile.ts";
import {
  conversationColumns,
  conversationRow,
  libraryRow,
  readable,
  summaryColumns,
  summaryRow,
  thumbnailRow,
  turnColumns,
  turnRow,
  withoutNul,
} from "./historyRows.ts";
import { type FoundTurn, findTurns } from "./historySearch.ts";
import { placesByConversation, placesIn } from "./turnPlaces.ts";
import { pathTo, type TurnPlace, turnsInView, versionsOf } from "./turnTree.ts";

/**
 * Conversations and the library, in one SQLite file. Every call is a transaction of its own and is on disk when it returns.
 * Each throws LongsightError `storage` where the file cannot be read or written any more.
 */
export type History = {
  /** What opening the file found that the person should be told. */
  readonly notices: readonly string[];
  /** The same by name. */
  readonly saidNotices: readonly (Said | null)[];
  listConversations(): ConversationSummary[];
  createConversation(id: string, documents: readonly DocumentChoice[], now: number): Conversation;
  /** @throws LongsightError `conversation-unknown` */
  getConversation(id: string): Conversation;
  /** Pins of documents that are left out go with them. */
  setDocuments(id: string, documents: readonly DocumentChoice[], now: number): Conversation;
  setPins(id: string, pins: readonly Pin[], now: number): Conversation;
  rename(id: string, title: string, now: number): Conversation;
  /** Keeps what is typed and not sent. */
  setDraft(id: string, draft: string): void;
  /** Remembers how its answers are made. */
  setChoice(id: string, choice: ConversationChoice): void;
  /** Takes a conversation out of view; it is gone for good when the history is closed or opened the next time. */
  deleteConversation(id: string, now: number): void;
  /** Undoes a deletion. @throws LongsightError `conversation-unknown` where it is gone for good */
  restoreConversation(id: string): Conversation;
  /**
   * Writes a new turn down: behind the turns in view, or as another version of `replaceTurnId`, which stays with all that follows it. Only a
   * version of which nothing was written, and which nothing follows, makes room for the new one. The new turn is in view.
   */
  addTurn(conversationId: string, turn: Turn, replaceTurnId: string | null): void;
  /** The turns that lead to a new one: those in view, or those before `replaceTurnId`, which need not be in view. */
  turnsBefore(conversationId: string, replaceTurnId: string | null): Turn[];
  /** Finished turns of all versions in which each of these words is, in the question or the answer, the latest first. */
  turnsWith(words: readonly AskedWord[], most: number): FoundTurn[];
  /** Brings a turn into view, with those before it and what was last in view behind it. */
  showTurn(conversationId: string, turnId: string): Conversation;
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
      return (...values: unknown[]): unknown => stored(file, "use", () => Reflect.apply(member, history, values));
    },
  });
}

function historyIn(database: Database.Database, messages: readonly Message[]): History {
  const change = <Result>(work: () => Result): Result => mendIndex(database, () => changing(database, work));
  const touch = database.prepare("UPDATE conversations SET updated_at = ? WHERE id = ?");

  /** The turns of these ids that can be read, in their order. */
  const turnsOf = (conversationId: string, ids: readonly string[]): Turn[] => {
    const rows: unknown[] = database.prepare(`SELECT ${turnColumns} FROM turns WHERE conversation_id = ?`).all(conversationId);
    const byId = new Map(readable(turnRow, rows).map((turn) => [turn.id, turn]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };

  const getConversation = (id: string): Conversation => {
    const row: unknown = database.prepare(`SELECT ${conversationColumns} FROM conversations WHERE id = ? AND deleted_at IS NULL`).get(id);
    if (row === undefined) throw new LongsightError("conversation-unknown", say("conversationDeleted"));
    const places = placesIn(database, id);
    const shown = turnsInView(places);
    return conversationSchema.parse({ ...conversationRow.parse(row), turns: turnsOf(id, shown), versions: versionsOf(places, shown) });
  };

  const placeOf = (places: readonly TurnPlace[], turnId: string): TurnPlace => {
    const place = places.find(({ id }) => id === turnId);
    if (place === undefined) {
      throw new LongsightError("conversation-unknown", say("questionGone"));
    }
    return place;
  };

  /** @returns the next free number of showing */
  const bringIntoView = (places: readonly TurnPlace[], turnId: string | null): number => {
    let shown = 1 + Math.max(-1, ...places.map((place) => place.shown));
    for (const id of turnId === null ? [] : (pathTo(places, turnId) ?? [])) {
      database.prepare("UPDATE turns SET shown = ? WHERE id = ?").run(shown, id);
      shown += 1;
    }
    return shown;
  };

  /** Deletes a version that has nothing to keep: no word of an answer, and no turn behind it. */
  const makeRoom = (places: readonly TurnPlace[], turnId: string): void => {
    if (places.some(({ parent }) => parent === turnId)) return;
    database.prepare("DELETE FROM turns WHERE id = ? AND answer = ''").run(turnId);
  };

  return {
    ...noticesOf(messages),
    listConversations() {
      const all: unknown[] = database
        .prepare(`SELECT ${summaryColumns} FROM conversations WHERE deleted_at IS NULL ORDER BY updated_at DESC, rowid DESC`)
        .all();
      const places = placesByConversation(database);
      return readable(summaryRow, all).map((summary) => ({
        ...summary,
        turns: turnsInView(places.get(summary.id) ?? []).length,
      }));
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
    setDraft(id, draft) {
      change(() => {
        getConversation(id);
        database.prepare("UPDATE conversations SET draft = ? WHERE id = ?").run(withoutNul(draft), id);
      });
    },
    setChoice(id, choice) {
      change(() => {
        getConversation(id);
        database.prepare("UPDATE conversations SET choice = ? WHERE id = ?").run(withoutNul(JSON.stringify(choice)), id);
      });
    },
    deleteConversation(id, now) {
      change(() => database.prepare("UPDATE conversations SET deleted_at = ? WHERE id = ?").run(now, id));
    },
    restoreConversation(id) {
      return change(() => {
        database.prepare("UPDATE conversations SET deleted_at = NULL WHERE id = ?").run(id);
        return getConversation(id);
      });
    },
    addTurn(conversationId, turn, replaceTurnId) {
      change(() => {
        getConversation(conversationId);
        const places = placesIn(database, conversationId);
        const parent = replaceTurnId === null ? (turnsInView(places).at(-1) ?? null) : placeOf(places, replaceTurnId).parent;
        if (replaceTurnId !== null) makeRoom(places, replaceTurnId);
        const shown = bringIntoView(places, parent);
        database
          .prepare(
            "INSERT INTO turns (id, conversation_id, parent, shown, question, answer, status, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
          )
          .run(turn.id, conversationId, parent, shown, withoutNul(turn.question), withoutNul(turn.answer), turn.status, turn.createdAt);
        database
          .prepare("UPDATE conversations SET title = ? WHERE id = ? AND title = ''")
          .run(withoutNul(titleOf(turn.question)), conversationId);
        touch.run(turn.createdAt, conversationId);
      });
    },
    turnsBefore(conversationId, replaceTurnId) {
      if (replaceTurnId === null) return getConversation(conversationId).turns;
      const places = placesIn(database, conversationId);
      placeOf(places, replaceTurnId);
      return turnsOf(conversationId, pathTo(places, replaceTurnId)?.slice(0, -1) ?? []);
    },
    turnsWith(words, most) {
      return findTurns(database, words, most);
    },
    showTurn(conversationId, turnId) {
      return change(() => {
        const places = placesIn(database, conversationId);
        placeOf(places, turnId);
        bringIntoView(places, turnId);
        return getConversation(conversationId);
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
      try {
        purgeDeleted(database);
      } catch {
        // What is in its way is told at the next start, which tries it again.
      }
      database.close();
    },
  };
}
