import { layOut } from "../../electron/engine/conversation/template.ts";
import { tokenSpans } from "../../electron/engine/documents/tokens.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import type { Prompt } from "../quality/rules.ts";
import type { PromptText, Source } from "./task.ts";

/** A prompt, and how many tokens of its context's middle were left out. */
export type Fitted = { readonly prompt: Prompt; readonly cutTokens: number };

/** What is needed of the loaded model to lay out a prompt. */
type Writer = Pick<Loaded, "render"> & { readonly model: Pick<Loaded["model"], "tokenise" | "firstToken"> };

const instruction = "You are a helpful assistant.";

/**
 * A prompt in the model's own template, part by part as the app tokenises it; all behind the context is the question, which every policy
 * keeps as the app does, and the answer's opening belongs to the tail.
 */
async function layOutText({ model, render }: Writer, { head, context, question, opening }: PromptText): Promise<Prompt> {
  const user = [head, context, question];
  const parts = layOut(["system", "user"], render).flatMap((piece) => {
    if (piece.kind === "template") return [{ text: piece.text, isControl: true, isQuestion: false }];
    const texts = piece.message === 0 ? [instruction] : user;
    return texts.map((text, index) => ({ text, isControl: false, isQuestion: piece.message === 1 && index === user.length - 1 }));
  });
  parts.push({ text: opening, isControl: false, isQuestion: false });
  const tokens: number[] = [];
  let [questionStart, tailStart] = [0, 0];
  for (const { text, isControl, isQuestion } of parts) {
    const own = text === "" ? [] : (await model.tokenise(text, isControl)).tokens;
    const isFirst = tokens.length === 0 && own.length > 0;
    if (isFirst && model.firstToken !== null && own[0] !== model.firstToken) tokens.push(model.firstToken);
    if (isQuestion) questionStart = tokens.length;
    tokens.push(...own);
    if (isQuestion) tailStart = tokens.length;
  }
  return { tokens: Uint32Array.from(tokens), questionStart, tailStart };
}

/**
 * The longest prompt of a source that has at most `room` tokens.
 * @returns null where it has none
 */
export async function fitPrompt(writer: Writer, source: Source, room: number): Promise<Fitted | null> {
  if (source.kind === "grown") return grow(writer, source, room);
  const prompt = await layOutText(writer, source.text);
  if (prompt.tokens.length <= room) return { prompt, cutTokens: 0 };
  return source.kind === "whole" ? null : cut(writer, source.text, prompt.tokens.length - room, room);
}

async function grow(writer: Writer, { most, at }: Extract<Source, { kind: "grown" }>, room: number): Promise<Fitted | null> {
  let best = await layOutText(writer, at(0));
  if (best.tokens.length > room) return null;
  let [fits, tooMany] = [0, most + 1];
  // Doubled first: most contexts are far shorter than the longest one.
  for (let count = 1; fits + 1 < tooMany; count = tooMany > most ? Math.min(2 * count, most) : Math.floor((fits + tooMany) / 2)) {
    const prompt = await layOutText(writer, at(count));
    if (prompt.tokens.length <= room) [fits, best] = [count, prompt];
    else tooMany = count;
  }
  return { prompt: best, cutTokens: 0 };
}

/** Leaves out the middle, as LongBench does; a text that is cut may take a few tokens more than are left of it, so it is tried again. */
async function cut(writer: Writer, text: PromptText, surplus: number, room: number): Promise<Fitted | null> {
  const { bytes } = await writer.model.tokenise(text.context, false);
  for (let keep = bytes.length - surplus; keep > 0; ) {
    const prompt = await layOutText(writer, { ...text, context: cutMiddle(text.context, bytes, keep) });
    if (prompt.tokens.length <= room) return { prompt, cutTokens: bytes.length - keep };
    keep -= prompt.tokens.length - room;
  }
  return null;
}

/**
 * The first and the last half of `keep` tokens of a text.
 * @param tokenBytes UTF-8 bytes of each of its tokens
 */
export function cutMiddle(text: string, tokenBytes: Uint32Array, keep: number): string {
  if (keep >= tokenBytes.length) return text;
  const starts = tokenSpans(text, tokenBytes);
  const first = Math.ceil(keep / 2);
  return text.slice(0, starts[first]) + text.slice(starts[tokenBytes.length - (keep - first)]);
}
