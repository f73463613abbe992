import type { TemplateMessage } from "../llama/model.ts";
import { layOut, type Render } from "./template.ts";

/** A page as it enters a prompt. */
export type PromptPage = { readonly documentId: string; readonly page: number; readonly text: string };

/** A document as it enters a prompt: the chosen pages, in order. */
export type PromptDocument = {
  readonly documentId: string;
  readonly name: string;
  readonly pageCount: number;
  readonly pages: readonly PromptPage[];
};

export type PromptTurn = { readonly question: string; readonly answer: string };

export type PromptRequest = {
  readonly documents: readonly PromptDocument[];
  /** Earlier turns, oldest first. */
  readonly turns: readonly PromptTurn[];
  readonly question: string;
};

/**
 * A run of text that is tokenised on its own: so a page's tokens are the same in every prompt, can be counted once, and point back
 * to their page. `control` text is the template's own and may hold control tokens.
 */
export type PromptPart =
  | { readonly kind: "control" | "instruction" | "turn" | "question"; readonly text: string }
  | { readonly kind: "page"; readonly text: string; readonly documentId: string; readonly page: number };

// Short on purpose: of four wordings tried with five questions each, the embedded model got two right with this one and at most one
// with the others. Far too few to call it the best; larger models were not tried.
const instruction = "You are a helpful assistant. Answer the question from the document.";
const instructionWithoutDocuments = "You are a helpful assistant.";

/**
 * Lays out a prompt: instructions, the documents inside the first user message, earlier turns, the new question, and the template's
 * opening of the answer. What comes first changes least, so that a cache serves the next question.
 * @throws LongsightError `model-unsupported` where the template does not take these messages
 */
export function buildPrompt(request: PromptRequest, render: Render): PromptPart[] {
  const system = request.documents.length > 0 ? instruction : instructionWithoutDocuments;
  const messages: { role: TemplateMessage["role"]; parts: PromptPart[] }[] = [
    { role: "system", parts: [{ kind: "instruction", text: system }] },
  ];
  const opening: PromptPart[] = request.documents.flatMap(documentParts);
  const asked = (question: string) => (request.documents.length > 0 ? `Question: ${question}` : question);
  for (const turn of request.turns) {
    messages.push({ role: "user", parts: [...opening.splice(0), { kind: "turn", text: asked(turn.question) }] });
    messages.push({ role: "assistant", parts: [{ kind: "turn", text: turn.answer }] });
  }
  messages.push({ role: "user", parts: [...opening.splice(0), { kind: "question", text: asked(request.question) }] });

  const roles = messages.map((message) => message.role);
  return layOut(roles, render).flatMap((piece): PromptPart[] =>
    piece.kind === "template" ? [{ kind: "control", text: piece.text }] : (messages[piece.message]?.parts ?? []),
  );
}

function documentParts(document: PromptDocument): PromptPart[] {
  const many = document.pageCount > 1;
  return [
    { kind: "instruction", text: `Document “${document.name}”:\n\n` },
    ...document.pages.map(
      (page): PromptPart => ({
        kind: "page",
        documentId: page.documentId,
        page: page.page,
        text: pagePromptText(page.page, page.text, many),
      }),
    ),
  ];
}

/** Text before a page's own text in a prompt. Its length is what token offsets have to be moved by. */
export function pagePrefix(page: number, numbered: boolean): string {
  return numbered ? `[Page ${page}]\n` : "";
}

/** A page as it stands in a prompt: with its number where the document has several, so that an answer can name it. */
export function pagePromptText(page: number, text: string, numbered: boolean): string {
  return `${pagePrefix(page, numbered)}${text}\n\n`;
}
