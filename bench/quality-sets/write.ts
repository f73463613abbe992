import { nonsense, type Writer, type Written } from "../../electron/engine/conversation/greedy.ts";
import { createTextStream } from "../../electron/engine/conversation/textStream.ts";
import type { ModelContext } from "../../electron/engine/llama/context.ts";

/** How each token is drawn: by its probability at this temperature, 0 for the likeliest one. Nothing is cut off. */
export type Drawing = { readonly temperature: number; readonly seed: number };

export type Start = {
  /** Drawn already, from the logits of the prompt's last token. */
  readonly first: number;
  readonly position: number;
  readonly maxTokens: number;
  /** Whether the text says enough to end here. */
  readonly isEnough: (text: string) => boolean;
};

/** Draws one token after the last one that was decoded with logits. */
export function drawToken({ model }: Writer, context: ModelContext, drawing: Drawing): Promise<number> {
  return withSampler(model, drawing, (sampler) => context.sample(sampler));
}

/**
 * Writes an answer, token after token, until the model ends it, it is long enough or says enough. The last token is not decoded.
 * @throws LongsightError `cancelled`, `engine-failed`, `model-invalid`
 */
export function writeAnswer({ model, stops }: Writer, context: ModelContext, start: Start, drawing: Drawing): Promise<Written> {
  const { first, position, maxTokens, isEnough } = start;
  return withSampler(model, drawing, async (sampler) => {
    const stream = createTextStream(stops);
    const tokens: number[] = [];
    const ends: number[] = [];
    let text = "";
    for (let token = first; ; token = await context.sample(sampler)) {
      if (token < 0) throw nonsense(model);
      if (model.isEnd(token)) break;
      tokens.push(token);
      const piece = stream.push(model.pieceOf(token));
      text += piece.text;
      ends.push(text.length);
      if (piece.stopped || tokens.length >= maxTokens || isEnough(text)) break;
      await context.decode(Uint32Array.of(token), position + tokens.length - 1, true);
    }
    return { text: text + stream.end(), tokens, ends };
  });
}

async function withSampler<Result>(
  model: Writer["model"],
  { temperature, seed }: Drawing,
  work: (sampler: ReturnType<Writer["model"]["createSampler"]>) => Promise<Result>,
): Promise<Result> {
  const sampler = model.createSampler({ temperature, topP: 1, topK: 0, minP: 0, repetitionPenalty: 0, seed });
  try {
    return await work(sampler);
  } finally {
    sampler.dispose();
  }
}
