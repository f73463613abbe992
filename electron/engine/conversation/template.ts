import type { TemplateMessage } from "../llama/model.ts";

/** A piece of a prompt. Text from people, documents and models is never read as control tokens; the template's own is. */
export type PromptPiece = { readonly kind: "template"; readonly text: string } | { readonly kind: "content"; readonly message: number };

/** Renders messages with a chat template; throws where the template refuses them. */
export type Render = (messages: readonly TemplateMessage[]) => string;

/** For models whose file has no template: base models continue a plain transcript. */
export const plainTranscript: Render = (messages) =>
  `${messages.map((message) => (message.role === "system" ? message.content : `${message.role === "user" ? "Question" : "Answer"}: ${message.content}`)).join("\n\n")}\n\nAnswer:`;

/**
 * Lays messages out by a chat template without ever putting their text through it: each content is rendered as a mark and cut out
 * again, so that a document that contains `<|im_end|>` or template syntax stays plain text.
 * A template that knows no system role gets the system text as the beginning of the first user message.
 * @returns pieces in order, and whether the system message was merged into the first user message (message 0 then means both)
 */
export function layOut(roles: readonly TemplateMessage["role"][], render: Render): { pieces: PromptPiece[]; merged: boolean } {
  const marks = roles.map((_, index) => `\uE0F0${index}\uE0F1`);
  const marked = roles.map((role, index) => ({ role, content: marks[index] ?? "" }));
  try {
    return { pieces: cut(render(marked), marks), merged: false };
  } catch (error) {
    if (roles[0] !== "system" || roles[1] !== "user") throw error;
  }
  const [system, user, ...rest] = marked;
  const merged = [{ role: "user" as const, content: `${system?.content ?? ""}\n\n${user?.content ?? ""}` }, ...rest];
  return { pieces: cut(render(merged), marks), merged: true };
}

function cut(text: string, marks: readonly string[]): PromptPiece[] {
  const pieces: PromptPiece[] = [];
  let from = 0;
  marks.forEach((mark, message) => {
    const at = text.indexOf(mark, from);
    // Some templates drop old assistant messages or repeat one; a prompt that lost a message would answer something else.
    if (at < 0) throw new Error(`the chat template dropped message ${message}`);
    if (at > from) pieces.push({ kind: "template", text: text.slice(from, at) });
    pieces.push({ kind: "content", message });
    from = at + mark.length;
  });
  if (from < text.length) pieces.push({ kind: "template", text: text.slice(from) });
  return pieces;
}
