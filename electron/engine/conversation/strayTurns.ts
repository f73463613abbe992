import type Database from "libsql";
import { z } from "zod";
import { type Message, say } from "../../contract/said.ts";
import { titleOf } from "./conversationTitle.ts";
import { readable } from "./historyRows.ts";
import { placesByConversation } from "./turnPlaces.ts";
import { strayHeads } from "./turnTree.ts";

const homelessRow = z.object({
  id: z.string(),
  question: z.string().catch(""),
  first: z.number().int().nonnegative().catch(0),
  last: z.number().int().nonnegative().catch(0),
});

/**
 * Gives turns whose conversation is not there one of their own, in any version of the tables: no migration carries them over else.
 * Must be run as a change.
 * @returns a message where there were any
 */
export function giveHomes(database: Database.Database): Message[] {
  const rows: unknown[] = database
    .prepare(
      `SELECT conversation_id AS id, question, min(created_at) AS first,
         (SELECT max(created_at) FROM turns AS other WHERE other.conversation_id = turns.conversation_id) AS last
       FROM turns WHERE conversation_id NOT IN (SELECT id FROM conversations) GROUP BY conversation_id`,
    )
    .all();
  const homes = readable(homelessRow, rows);
  const insert = database.prepare("INSERT INTO conversations (id, title, documents, created_at, updated_at) VALUES (?, ?, '[]', ?, ?)");
  for (const { id, question, first, last } of homes) insert.run(id, titleOf(question), first, last);
  if (homes.length === 0) return [];
  return [say("homesGiven", { count: homes.length, titles: listed(homes.map(({ question }) => titleOf(question))) })];
}

/**
 * Gives turns that nothing leads to a place: beside their conversation's first question, as other versions of it. Nothing else of them is
 * changed, and what is in view stays so. Must be run as a change.
 * @returns a message where there were any
 */
export function placeStrays(database: Database.Database): Message[] {
  const place = database.prepare("UPDATE turns SET parent = NULL, shown = -1 WHERE id = ?");
  const titled = database.prepare("SELECT title FROM conversations WHERE id = ?");
  const titles: string[] = [];
  let strays = 0;
  for (const [conversationId, places] of placesByConversation(database)) {
    const heads = strayHeads(places);
    if (heads.length === 0) continue;
    for (const id of heads) place.run(id);
    strays += heads.length;
    titles.push(z.object({ title: z.string() }).catch({ title: "" }).parse(titled.get(conversationId)).title);
  }
  if (strays === 0) return [];
  return [say("straysPlaced", { count: strays, titles: listed(titles) })];
}

/** Names that a sentence can hold. */
const mostListed = 3;

function listed(titles: readonly string[]): Message {
  const shown = titles.slice(0, mostListed);
  const more = titles.length - shown.length;
  return more === 0 ? say("titles", { titles: shown }) : say("titlesAndMore", { titles: shown, more });
}
