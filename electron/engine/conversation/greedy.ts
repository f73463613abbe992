import { LongsightError } from "../../contract/errors.ts";
import type { ModelContext } from "../llama/context.ts";
import type { Model } from "../llama/model.ts";
import { createTextStream } from "./textStream.ts";

/** A model, and the strings that end what it writes. */
export type Writer = { readonly model: Model; readonly stops: readonly string[] };

/** What was written: no token that ends an answer is among the tokens. `ends`: length of the text after each token. */
export type Written = { readonly text: string; readonly tokens: readonly number[]; readonly ends: readonly number[] };

/**
 * Writes the likeliest tokens, one after the other, until the model ends or `maxTokens` are there. The last one is not decoded.
 * @param start.first a token that was sampled already; null takes it from the context's logits
 * @param start.position of the first token
 * @throws LongsightError `cancelled`, `engine-failed`, `model-invalid`
 */
export async function writeGreedily(
  { model, stops }: Writer,
  context: ModelContext,
  start: {
    readonly first: number | null;
    readonly position: number;
    readonly maxTokens: number;
    readonly onToken?: (tokens: number) => void;
  },
): Promise<Written> {
  const { position, maxTokens, onToken } = start;
  return withGreedy(model, async (sampler) => {
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
      if (piece.stopped || tokens.length >= maxTokens) break;
      await context.decode(Uint32Array.of(token), position + tokens.length - 1, true);
    }
    return { text: text + stream.end(), tokens, ends };
  });
}

/** The likeliest token after the last one that was decoded with logits. */
export function likeliest(model: Model, context: ModelContext): Promise<number> {
  return withGreedy(model, (sampler) => context.sample(sampler));
}

async function withGreedy<Result>(model: Model, work: (sampler: ReturnType<Model["createSampler"]>) => Promise<Result>): Promise<Result> {
  const sampler = model.createSampler({ temperature: 0, topP: 1, topK: 0, minP: 0, repetitionPenalty: 0, seed: 0 });
  try {
    return await work(sampler);
  } finally {
    sampler.dispose();
  }
}

/** Weights that were damaged where no length gives it away load like any others, and then compute no numbers. */
export function nonsense(model: Model): LongsightError {
  return new LongsightError(
    "model-invalid",
    `The model “${model.header.name}” computes nothing that can be read: its file seems to be damaged. Download it again, or choose another model.`,
  );
}
