import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { ModelContext } from "../llama/context.ts";
import type { Model } from "../llama/model.ts";
import { createTextStream } from "./textStream.ts";

/** A model, and the strings that end what it writes. */
export type Writer = { readonly model: Model; readonly stops: readonly string[] };

/** How each token is drawn: by its probability at this temperature, 0 for the likeliest one. Nothing is cut off. */
export type Drawing = { readonly temperature: number; readonly seed: number };

/** Draws the likeliest token. */
export const greedy: Drawing = { temperature: 0, seed: 0 };

/** What was written: no token that ends an answer is among the tokens. `ends`: length of the text after each token. */
export type Written = { readonly text: string; readonly tokens: readonly number[]; readonly ends: readonly number[] };

export type WriteStart = {
  /** A token that was sampled already; null takes it from the context's logits. */
  readonly first: number | null;
  /** Of the first token. */
  readonly position: number;
  readonly maxTokens: number;
  readonly onToken?: (tokens: number) => void;
  /** Whether the text says enough to end here. */
  readonly isEnough?: (text: string) => boolean;
};

/**
 * Writes tokens, one after the other, until the model ends, `maxTokens` are there or the text says enough. The last one is not decoded.
 * @throws LongsightError `cancelled`, `engine-failed`, `model-invalid`
 */
export async function writeTokens({ model, stops }: Writer, context: ModelContext, start: WriteStart, drawing: Drawing): Promise<Written> {
  const { position, maxTokens, onToken, isEnough } = start;
  return withSampler(model, drawing, async (sampler) => {
    const stream = createTextStream(stops);
    const tokens: number[] = [];
    const ends: number[] = [];
    let text = "";
    for (let token = start.first ?? (await context.sample(sampler)); ; token = await context.sample(sampler)) {
      if (token < 0) throw nonsense(model);
      if (model.isEnd(token)) break;
      tokens.push(token);
      const piece = stream.push(model.pieceOf(token));
      text += piece.text;
      ends.push(text.length);
      onToken?.(tokens.length);
      if (piece.stopped || tokens.length >= maxTokens || isEnough?.(text) === true) break;
      await context.decode(Uint32Array.of(token), position + tokens.length - 1, true);
    }
    return { text: text + stream.end(), tokens, ends };
  });
}

/** {@link writeTokens} with the likeliest ones. */
export function writeGreedily(writer: Writer, context: ModelContext, start: WriteStart): Promise<Written> {
  return writeTokens(writer, context, start, greedy);
}

/** Draws one token after the last one that was decoded with logits. */
export function drawToken(model: Model, context: ModelContext, drawing: Drawing): Promise<number> {
  return withSampler(model, drawing, (sampler) => context.sample(sampler));
}

/** The likeliest token after the last one that was decoded with logits. */
export function likeliest(model: Model, context: ModelContext): Promise<number> {
  return drawToken(model, context, greedy);
}

async function withSampler<Result>(
  model: Model,
  { temperature, seed }: Drawing,
  work: (sampler: ReturnType<Model["createSampler"]>) => Promise<Result>,
): Promise<Result> {
  const sampler = model.createSampler({ temperature, topP: 1, topK: 0, minP: 0, repetitionPenalty: 0, seed });
  try {
    return await work(sampler);
  } finally {
    sampler.dispose();
  }
}

/** Weights that were damaged where no length gives it away load like any others, and then compute no numbers. */
export function nonsense(model: Model): LongsightError {
  return new LongsightError("model-invalid", say("modelComputesNonsense", { model: model.header.name }));
}
