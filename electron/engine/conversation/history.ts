import type Database from "libsql";
import { z } from "zod";
import {
  answerFiguresSchema,
  type Conversation,
  type ConversationChoice,
  type ConversationSummary,
  conversationChoiceSchema,
  conversationSchema,
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
import type { AskedWord } from "../search/excerpt.ts";
import { changing, isBusy, mendIndex, openHistoryFile, purgeDeleted, stored } from "./historyFile.ts";
import { pathTo, type TurnPlace, turnsInView, versionsOf } from "./turnTree.ts";

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
  /**
   * Finished turns of all versions in which each of these words is, in the question or the answer, the latest first.
   * @param words folded (search/fold.ts)
   */
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

export type FoundTurn = z.infer<typeof foundRow>;

const foundRow = z.object({
  conversationId: z.string(),
  title: z.string(),
  turnId: z.string(),
  question: z.string(),
  answer: z.string(),
  createdAt: z.number(),
});

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
  choice: jsonOf(conversationChoiceSchema).nullable().catch(null),
  draft: z.string().catch(""),
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
const placeRow = z.object({ id: z.string(), parent: z.string().nullable().catch(null), shown: z.number().catch(-1) });

/** The rows that can be read: a damaged one does not hide the others. */
function readable<Schema extends z.ZodType>(schema: Schema, rows: readonly unknown[]): z.output<Schema>[] {
  return rows.map((row) => schema.safeParse(row)).flatMap((parsed) => (parsed.success ? [parsed.data] : []));
}

/** libsql reads a text only up to its first NUL. */
const withoutNul = (text: string) => text.replaceAll("\0", "\uFFFD");

const conversationColumns = "id, title, documents, pins, choice, draft, created_at AS createdAt, updated_at AS updatedAt";
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
  const change = <Result>(work: () => Result): Result => mendIndex(database, () => changing(database, work));
  const touch = database.prepare("UPDATE conversations SET updated_at = ? WHERE id = ?");

  /** By what the table holds, oldest first: a turn that cannot be read has its place too. */
  const placesIn = (conversationId: string): TurnPlace[] => {
    const rows: unknown[] = database
      .prepare("SELECT id, parent, shown FROM turns WHERE conversation_id = ? ORDER BY number")
      .all(conversationId);
    return readable(placeRow, rows);
  };

  /** The turns of these ids that can be read, in their order. */
  const turnsOf = (conversationId: string, ids: readonly string[]): Turn[] => {
    const rows: unknown[] = database.prepare(`SELECT ${turnColumns} FROM turns WHERE conversation_id = ?`).all(conversationId);
    const byId = new Map(readable(turnRow, rows).map((turn) => [turn.id, turn]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };

  const getConversation = (id: string): Conversation => {
    const row: unknown = database.prepare(`SELECT ${conversationColumns} FROM conversations WHERE id = ? AND deleted_at IS NULL`).get(id);
    if (row === undefined) throw new LongsightError("conversation-unknown", "This conversation was deleted.");
    const places = placesIn(id);
    const shown = turnsInView(places);
    return conversationSchema.parse({ ...conversationRow.parse(row), turns: turnsOf(id, shown), versions: versionsOf(places, shown) });
  };

  const placeOf = (places: readonly TurnPlace[], turnId: string): TurnPlace => {
    const place = places.find(({ id }) => id === turnId);
    if (place === undefined) {
      throw new LongsightError("conversation-unknown", "The question to change is not in this conversation any more.");
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
    notices,
    listConversations() {
      const all: unknown[] = database
        .prepare(`SELECT ${conversationColumns} FROM conversations WHERE deleted_at IS NULL ORDER BY updated_at DESC, rowid DESC`)
        .all();
      const places: unknown[] = database
        .prepare("SELECT conversation_id AS conversationId, id, parent, shown FROM turns ORDER BY number")
        .all();
      const byConversation = new Map<string, TurnPlace[]>();
      for (const { conversationId, ...place } of readable(placeRow.extend({ conversationId: z.string() }), places)) {
        const known = byConversation.get(conversationId);
        if (known === undefined) byConversation.set(conversationId, [place]);
        else known.push(place);
      }
      return readable(conversationRow, all).map(({ documents: _documents, pins: _pins, choice: _choice, draft: _draft, ...summary }) => ({
        ...summary,
        turns: turnsInView(byConversation.get(summary.id) ?? []).length,
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
        const places = placesIn(conversationId);
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
      const places = placesIn(conversationId);
      placeOf(places, replaceTurnId);
      return turnsOf(conversationId, pathTo(places, replaceTurnId)?.slice(0, -1) ?? []);
    },
    turnsWith(words, most) {
      const { condition, values } = conditionFor(words);
      const search = database.prepare(
        `SELECT conversation_id AS conversationId, title, turns.id AS turnId, turns.question, turns.answer, turns.created_at AS createdAt
         FROM turns JOIN conversations ON conversations.id = conversation_id
         WHERE deleted_at IS NULL AND status <> 'writing' AND ${condition} ORDER BY number DESC LIMIT ?`,
      );
      const rows = mendIndex(database, (): unknown[] => search.all(...values, most));
      return readable(foundRow, rows);
    },
    showTurn(conversationId, turnId) {
      return change(() => {
        const places = placesIn(conversationId);
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

/** Letters of the shortest word that the index knows. */
const indexedLetters = 3;

/** Words for the index, which finds them within others; shorter ones have to be looked for in what it leaves. */
function conditionFor(words: readonly AskedWord[]): { condition: string; values: string[] } {
  const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
  const isIndexed = ({ asked, folded }: AskedWord) => [asked, folded].every((word) => Array.from(word).length >= indexedLetters);
  const inIndex = words.filter(isIndexed).map(({ asked, folded }) => `(${[...new Set([asked, folded])].map(quoted).join(" OR ")})`);
  const conditions = inIndex.length === 0 ? [] : ["number IN (SELECT rowid FROM turn_words WHERE turn_words MATCH ?)"];
  const values = inIndex.length === 0 ? [] : [inIndex.join(" AND ")];
  const pattern = (word: string) => `%${word.replace(/[!%_]/g, "!$&")}%`;
  for (const word of words.filter((other) => !isIndexed(other))) {
    // LIKE takes only the letters of English for the same whether large or small.
    const forms = [...new Set(formsOf(word))];
    conditions.push(`(${forms.map(() => "turns.question LIKE ? ESCAPE '!' OR turns.answer LIKE ? ESCAPE '!'").join(" OR ")})`);
    values.push(...forms.flatMap((form) => [pattern(form), pattern(form)]));
  }
  return { condition: conditions.join(" AND "), values: values.map(withoutNul) };
}

/** How a short word may be written. */
function formsOf({ asked, folded }: AskedWord): string[] {
  const [first = ""] = Array.from(asked);
  const capital = first.toUpperCase() + asked.slice(first.length).toLowerCase();
  return [asked, folded, asked.toLowerCase(), asked.toUpperCase(), capital];
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
