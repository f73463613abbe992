import type Database from "libsql";
import { z } from "zod";
import { readable } from "./historyRows.ts";
import type { TurnPlace } from "./turnTree.ts";

/** By what the table holds: a turn that cannot be read has its place too. */
const placeRow = z.object({ id: z.string(), parent: z.string().nullable().catch(null), shown: z.number().catch(-1) });

/** Where the turns of a conversation stand, oldest first. */
export function placesIn(database: Database.Database, conversationId: string): TurnPlace[] {
  const rows: unknown[] = database
    .prepare("SELECT id, parent, shown FROM turns WHERE conversation_id = ? ORDER BY number")
    .all(conversationId);
  return readable(placeRow, rows);
}

/** The same for all conversations that have turns, by their ids. */
export function placesByConversation(database: Database.Database): Map<string, TurnPlace[]> {
  const rows: unknown[] = database.prepare("SELECT conversation_id AS conversationId, id, parent, shown FROM turns ORDER BY number").all();
  const byConversation = new Map<string, TurnPlace[]>();
  for (const { conversationId, ...place } of readable(placeRow.extend({ conversationId: z.string() }), rows)) {
    const known = byConversation.get(conversationId);
    if (known === undefined) byConversation.set(conversationId, [place]);
    else known.push(place);
  }
  return byConversation;
}
