import type { Conversation, Turn } from "../../contract/conversation.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { Citation, Exported, ExportFormat } from "../../contract/export.ts";
import type { Heatmap } from "../../contract/heatmap.ts";
import type { Language } from "../../contract/language.ts";
import { wordsIn } from "../../contract/messages/wordsIn.ts";
import { type Message, say } from "../../contract/said.ts";
import type { History } from "../conversation/history.ts";
import type { PromptDocument } from "../conversation/prompt.ts";
import type { OpenDocuments } from "../documents/openDocuments.ts";
import { citationsOf } from "./citations.ts";
import type { ExportOf } from "./exportOf.ts";
import { exportHtml } from "./html.ts";
import { exportJson } from "./json.ts";
import { exportMarkdown } from "./markdown.ts";

type Parts = { readonly history: Pick<History, "getConversation" | "listLibrary">; readonly documents: OpenDocuments };

/** The text of a conversation's documents, of those that are open. */
function openOnes(documents: OpenDocuments, conversation: Conversation): PromptDocument[] {
  return conversation.documents.flatMap((choice) => {
    try {
      return documents.forPrompt([choice]);
    } catch (error) {
      if (error instanceof LongsightError) return [];
      throw error;
    }
  });
}

/** Which pages an answer shares its words with; of documents that are not open none are known. */
export function citeAnswer({ history, documents }: Parts, conversationId: string, turnId: string): Citation[] {
  const conversation = history.getConversation(conversationId);
  const turn = conversation.turns.find(({ id }) => id === turnId);
  return turn === undefined ? [] : citationsOf(turn.answer, openOnes(documents, conversation));
}

/** The question that a heatmap is drawn for: the last one in view. */
export function lastQuestion(conversation: Conversation): Turn {
  const last = conversation.turns[conversation.turns.length - 1];
  if (last === undefined || conversation.documents.length === 0) {
    throw new LongsightError("usage", say("nothingToShade"));
  }
  return last;
}

export type ExportRequest = {
  readonly conversationId: string;
  readonly format: ExportFormat;
  readonly language: Language;
  /** Of its last question, for `html`. */
  readonly heatmap: Heatmap | null;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** The turns of a conversation that are in view, as a file's text. */
export function exportConversation(
  { history, documents }: Parts,
  { conversationId, format, language, heatmap, now }: ExportRequest,
): Exported {
  const conversation = history.getConversation(conversationId);
  const open = openOnes(documents, conversation);
  const library = history.listLibrary();
  const words = (message: Message): string => wordsIn(language, message);
  const of: ExportOf = {
    language,
    words,
    conversation,
    title: conversation.title === "" ? words(say("exportedConversation")) : conversation.title,
    documents: conversation.documents.map(({ documentId, pages }) => ({
      documentId,
      name: library.find(({ id }) => id === documentId)?.name ?? words(say("exportedDocument")),
      pages,
    })),
    turns: conversation.turns.map((turn) => ({ turn, citations: citationsOf(turn.answer, open) })),
    heatmap,
    now,
  };
  const write = { markdown: exportMarkdown, json: exportJson, html: exportHtml }[format];
  const ending = { markdown: "md", json: "json", html: "html" }[format];
  return { name: `${fileNameOf(of.title)}.${ending}`, text: write(of) };
}

/** A title as the name of a file on any system. */
export function fileNameOf(title: string): string {
  const plain = title
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const short = Array.from(plain)
    .slice(0, 60)
    .join("")
    .replace(/^[. ]+|[. ]+$/g, "");
  return short === "" || /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short) ? "Conversation" : short;
}
