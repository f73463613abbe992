import { copyFileSync, existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, dirname } from "node:path";
import Database from "libsql";
import { z } from "zod";
import { LongsightError } from "../../contract/errors.ts";
import { type Message, say } from "../../contract/said.ts";
import { migrations } from "./migrations.ts";
import { giveHomes, placeStrays } from "./strayTurns.ts";

/** Milliseconds that a call waits for another program's lock; the engine's event loop stands still meanwhile. */
const lockWaitMs = 2000;

/** SQLite's own name of an error ("SQLITE_BUSY"); empty for anything else. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Whether another program held the file's lock for too long. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith("SQLITE_BUSY");

const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));

/** Runs `work`, a second time with a new search index where the one that is there is damaged: it holds nothing of its own. */
export function mendIndex<Result>(database: Database.Database, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (codeOf(error) !== "SQLITE_CORRUPT_VTAB") throw error;
    rebuildIndex(database);
    return work();
  }
}

/** Makes the search index anew. Answers that are being written are not in it. */
function rebuildIndex(database: Database.Database): void {
  changing(database, () => {
    database.exec("INSERT INTO turn_words (turn_words) VALUES ('rebuild')");
    database.exec(
      "INSERT INTO turn_words (turn_words, rowid, question, answer) SELECT 'delete', number, question, answer FROM turns WHERE status = 'writing'",
    );
  });
}

/** Deletes for good what was deleted: from here on nothing can be undone. */
export function purgeDeleted(database: Database.Database): void {
  changing(database, () => {
    database.exec("DELETE FROM turns WHERE conversation_id IN (SELECT id FROM conversations WHERE deleted_at IS NOT NULL)");
    database.exec("DELETE FROM conversations WHERE deleted_at IS NOT NULL");
  });
}

/** What a person is told of an error of SQLite or the disk. */
function messageFor(error: unknown, path: string, work: Work): Message {
  const file = basename(path);
  const isOpening = work === "opening";
  if (isBusy(error)) return say(isOpening ? "historyBusyOnOpening" : "historyBusy", { file });
  if (isDamage(error)) return say(isOpening ? "historyDamagedOnOpening" : "historyDamaged", { file });
  return say(isOpening ? "historyFaultOnOpening" : "historyFault");
}

/** What is done with the file when something is wrong with it: it is opened, or read and changed. */
type Work = "opening" | "use";

/** Runs `work`; what SQLite or the disk has against it becomes a `storage` problem. */
export function stored<Result>(file: string, what: Work, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof LongsightError) throw error;
    throw new LongsightError(
      "storage",
      messageFor(error, file, what),
      `${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * Runs `work` as one transaction. Its lock is taken by `exec` before anything else: a prepared statement that finds the file
 * locked stays unfinished in libsql, and what is written after it is never committed.
 */
export function changing<Result>(database: Database.Database, work: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk, for one, has ended it already; a second end would hide the reason.
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

export type OpenedFile = {
  readonly database: Database.Database;
  /** What was found on opening it, in words. */
  readonly notices: readonly Message[];
};

/**
 * Opens (or creates) the history's file and brings it up to date. A damaged one is put aside; turns that lost their place are given one.
 * @throws LongsightError `storage`
 */
export function openHistoryFile(file: string): OpenedFile {
  return stored(file, "opening", () => {
    try {
      return open(file);
    } catch (error) {
      if (!isDamage(error)) throw error;
      const aside = putAside(file);
      const { database, notices } = open(file);
      return { database, notices: [say("historyPutAside", { file: aside }), ...notices] };
    }
  });
}

/** @returns the damaged file's new path */
function putAside(file: string): string {
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(":", "-")}`;
  // The file itself last: a new one must never meet the old one's log.
  for (const suffix of ["-wal", "-shm", ""]) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  return aside;
}

function open(file: string): OpenedFile {
  if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
  const database = new Database(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${lockWaitMs}`);
    lookThrough(database);
    const version = versionOf(database, file);
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    const homes = migrate(database, file, version);
    mendIndex(database, () => {
      changing(database, () => database.exec("UPDATE turns SET status = 'interrupted' WHERE status = 'writing'"));
      purgeDeleted(database);
    });
    const strays = changing(database, () => placeStrays(database));
    return { database, notices: [...homes, ...strays] };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Finds damage before the file is used. By `exec` alone: a prepared statement keeps the file open after `close` until it is
 * collected, and Windows renames no open file.
 */
function lookThrough(database: Database.Database): void {
  database.exec("SELECT count(*) FROM sqlite_schema");
  for (const [table, column] of [
    ["conversations", "updated_at"],
    ["turns", "created_at"],
    ["documents", "opened_at"],
  ]) {
    try {
      database.exec(`SELECT total(${column}) FROM ${table}`);
    } catch (error) {
      // A file that is new, or another version's, has no such table.
      if (codeOf(error) !== "SQLITE_ERROR") throw error;
    }
  }
}

/** @throws LongsightError `storage` for the schema of a newer Longsight, before anything is changed */
function versionOf(database: Database.Database, file: string): number {
  const row: unknown = database.prepare("PRAGMA user_version").get();
  const version = z.object({ user_version: z.number() }).parse(row).user_version;
  if (version > migrations.length) {
    throw new LongsightError(
      "storage",
      say("historyOfNewerVersion"),
      `${file}: schema ${version}, this version knows ${migrations.length}`,
    );
  }
  return version;
}

/** @returns what was mended on the way, in words */
function migrate(database: Database.Database, file: string, version: number): Message[] {
  if (version > 0 && version < migrations.length && existsSync(file)) {
    database.pragma("wal_checkpoint(TRUNCATE)");
    copyFileSync(file, `${file}.before-${version + 1}`);
  }
  const homes = version === 0 ? [] : changing(database, () => giveHomes(database));
  migrations.slice(version).forEach((statements, index) => {
    changing(database, () => {
      database.exec(statements);
      database.exec(`PRAGMA user_version = ${version + index + 1}`);
    });
  });
  return homes;
}
