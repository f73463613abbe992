import type { ConversationHit, ConversationHits } from "../../contract/search.ts";
import type { History } from "../conversation/history.ts";
import { askedWords, excerptOf, hasWords, wordsOf } from "./excerpt.ts";

/** Most places that are told. */
const mostHits = 100;

/**
 * Finds the conversations and turns that have all words of a search, wherever in a word they begin: titles first, then turns, the latest
 * first. Earlier versions of a question are looked through as well; what is being written is not.
 * @throws LongsightError `storage`
 */
export function searchConversations(history: Pick<History, "listConversations" | "turnsWith">, text: string): ConversationHits {
  const words = wordsOf(text);
  if (words.length === 0) return { hits: [], more: false };
  const found = history.turnsWith(askedWords(text), mostHits + 1);
  // A title is the first question's, as long as nobody gave it another one.
  const known = new Set(found.map(({ conversationId }) => conversationId));
  const titles = history
    .listConversations()
    .filter(({ id, title }) => !known.has(id) && hasWords(title, words))
    .map(
      ({ id, title, updatedAt }): ConversationHit => ({
        conversationId: id,
        title,
        turnId: null,
        part: "title",
        excerpt: excerptOf(title, words) ?? { text: title, marks: [] },
        at: updatedAt,
      }),
    );
  const turns = found.map(({ conversationId, title, turnId, question, answer, createdAt }): ConversationHit => {
    const about = { conversationId, title, turnId, at: createdAt };
    // What was asked is known to the person; where the words stand in both, the answer says more.
    const inAnswer = hasWords(answer, words) ? excerptOf(answer, words) : null;
    const inQuestion = inAnswer === null ? excerptOf(question, words) : null;
    if (inQuestion !== null) return { ...about, part: "question", excerpt: inQuestion };
    return { ...about, part: "answer", excerpt: inAnswer ?? excerptOf(answer, words) ?? { text: answer.slice(0, 120), marks: [] } };
  });
  const all = [...titles, ...turns];
  return { hits: all.slice(0, mostHits), more: all.length > mostHits };
}
