import type Database from "libsql";
import { z } from "zod";
import type { AskedWord } from "../search/excerpt.ts";
import { mendIndex } from "./historyFile.ts";
import { readable, withoutNul } from "./historyRows.ts";

const foundRow = z.object({
  conversationId: z.string(),
  title: z.string(),
  turnId: z.string(),
  question: z.string(),
  answer: z.string(),
  createdAt: z.number(),
});
export type FoundTurn = z.infer<typeof foundRow>;

/**
 * Finished turns of all versions in which each of these words is, in the question or the answer, the latest first.
 * @param most how many at most
 */
export function findTurns(database: Database.Database, words: readonly AskedWord[], most: number): FoundTurn[] {
  const { condition, values } = conditionFor(words);
  const search = database.prepare(
    `SELECT conversation_id AS conversationId, title, turns.id AS turnId, turns.question, turns.answer, turns.created_at AS createdAt
     FROM turns JOIN conversations ON conversations.id = conversation_id
     WHERE deleted_at IS NULL AND status <> 'writing' AND ${condition} ORDER BY number DESC LIMIT ?`,
  );
  const rows = mendIndex(database, (): unknown[] => search.all(...values, most));
  return readable(foundRow, rows);
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
