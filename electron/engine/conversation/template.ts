import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { GgufHeader } from "../llama/gguf.ts";
import type { Model, TemplateMessage } from "../llama/model.ts";

/** A piece of a prompt. Text from people, documents and models is never read as control tokens; the template's own is. */
export type LaidOutPiece = { readonly kind: "template"; readonly text: string } | { readonly kind: "content"; readonly message: number };

/** Renders messages with a chat template; throws where the template refuses them. */
export type Render = (messages: readonly TemplateMessage[]) => string;

/** For models whose file has no template: base models continue a plain transcript. */
export const plainTranscript: Render = (messages) =>
  `${messages.map((message) => (message.role === "system" ? message.content : `${message.role === "user" ? "User" : "Answer"}: ${message.content}`)).join("\n\n")}\n\nAnswer:`;

/** What a base model writes when it goes on with the transcript instead of ending its answer. */
export const transcriptStops: readonly string[] = ["\n\nUser:", "\n\nQuestion:"];

/** How a model is spoken to, and strings that end an answer of it. */
export type Chat = { readonly render: Render; readonly stops: readonly string[] };

/** By the template of its file, or in a plain transcript, and what ends an answer of it. */
export function chatOf(model: Pick<Model, "renderTemplate"> & { readonly header: Pick<GgufHeader, "chatTemplate"> }): Chat {
  const template = model.header.chatTemplate;
  if (template === null) return { render: plainTranscript, stops: transcriptStops };
  return { render: (messages) => model.renderTemplate(template, messages), stops: [] };
}

/**
 * Lays messages out by a chat template without ever putting their text through it: each content is rendered as a mark and cut out
 * again, so that a document that contains `<|im_end|>` or template syntax stays plain text.
 * Where a template knows no system role, the system text comes at the beginning of the first user message.
 * @returns pieces in order; each message is among them
 * @throws LongsightError `model-unsupported` where the template refuses, drops or reorders the messages
 */
export function layOut(roles: readonly TemplateMessage["role"][], render: Render): LaidOutPiece[] {
  const marks = roles.map((_, index) => `\uE0F0${index}\uE0F1`);
  const marked = roles.map((role, index) => ({ role, content: marks[index] ?? "" }));
  try {
    return cut(render(marked), roles.length);
  } catch (error) {
    if (roles[0] !== "system" || roles[1] !== "user") throw unusable(error);
  }
  const [system, user, ...rest] = marked;
  const merged = [{ role: "user" as const, content: `${system?.content ?? ""}\n\n${user?.content ?? ""}` }, ...rest];
  try {
    return cut(render(merged), roles.length);
  } catch (error) {
    throw unusable(error);
  }
}

function cut(text: string, messages: number): LaidOutPiece[] {
  const pieces: LaidOutPiece[] = [];
  let from = 0;
  let seen = 0;
  for (const match of text.matchAll(/\uE0F0(\d+)\uE0F1/g)) {
    const message = Number(match[1]);
    // Some templates drop old assistant messages; a prompt that lost a message would answer something else.
    if (message > seen) throw new Error(`the chat template dropped or moved message ${seen}`);
    seen = Math.max(seen, message + 1);
    if (match.index > from) pieces.push({ kind: "template", text: text.slice(from, match.index) });
    pieces.push({ kind: "content", message });
    from = match.index + match[0].length;
  }
  if (seen < messages) throw new Error(`the chat template dropped message ${seen}`);
  if (from < text.length) pieces.push({ kind: "template", text: text.slice(from) });
  return pieces;
}

function unusable(error: unknown): LongsightError {
  return new LongsightError("model-unsupported", say("templateUnusable"), error instanceof Error ? error.message : String(error));
}
