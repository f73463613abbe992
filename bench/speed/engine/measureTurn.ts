import { toProblem } from "../../../electron/contract/errors.ts";
import { createDraftWriter } from "../../../electron/engine/conversation/draft.ts";
import { likeliest } from "../../../electron/engine/conversation/greedy.ts";
import { createStopper } from "../../../electron/engine/conversation/readPrompt.ts";
import { batchTokens, type ModelContext } from "../../../electron/engine/llama/context.ts";
import type { GgufHeader } from "../../../electron/engine/llama/gguf.ts";
import { planKept } from "../../../electron/engine/lookahead/plan.ts";
import { scorePrompt, selectKept } from "../../../electron/engine/lookahead/score.ts";
import type { KeptTokens } from "../../../electron/engine/lookahead/scores.ts";
import type { Loaded } from "../../../electron/engine/session.ts";
import { type Asked, type Contender, readFor } from "../../policies/measure.ts";
import type { BenchModel } from "../../quality/model.ts";
import { readWhole } from "../../quality/readWhole.ts";
import { timed } from "../../quality/timed.ts";
import type { EngineTimes, PolicyTimes } from "../outcome.ts";
import { beginningWith } from "../turns.ts";
import { answerTokens, type TurnJob } from "./job.ts";

/** Of what is left to chance. */
const seed = 1;

type Settings = Pick<TurnJob, "budgets" | "reference" | "policies" | "round"> & { readonly draftModel: GgufHeader | null };

/**
 * Reads a prompt as the app does and lets every policy choose from the same cache, another one first in each round, since the first finds nothing warm. What
 * the first of the list keeps is decoded from, and the full cache beside it.
 * What is decoded is the same from every cache, so that no answer is longer than another.
 * @throws LongsightError where the prompt itself cannot be read
 */
export async function measureTurn(bench: BenchModel, asked: Asked, settings: Settings): Promise<EngineTimes> {
  const { loaded } = bench;
  const { tokens } = asked.prompt;
  // Weights and threads are there before the clock runs, and the cache is, as where the other programs begin.
  await readWhole(loaded, tokens.subarray(0, batchTokens), null);
  loaded.cache.prefilled.length = 0;
  const read = await timed(() => readWhole(loaded, tokens, null));
  const first = await timed(() => likeliest(loaded.model, read.result));

  const budgets = settings.budgets.filter((budget) => budget < tokens.length);
  const policies: PolicyTimes[] = [];
  const refused: EngineTimes["refused"] = [];
  let decoded: Decoded | null = null;
  const contenders = contendersOf(bench, settings);
  for (const contender of beginningWith(contenders, settings.round)) {
    try {
      const { times, chosen, context } = await measurePolicy(loaded, asked, { ...settings, budgets, first: first.result }, contender);
      policies.push(times);
      if (contender === contenders[0]) decoded = await decodeInTurns(loaded, context, tokens, chosen);
    } catch (error) {
      // One that this model or machine has no room for is no reason to lose the others.
      refused.push({ policy: contender.name, reason: toProblem(error).message });
    }
  }
  if (settings.policies.includes("speckv") && settings.draftModel === null)
    refused.push({ policy: "speckv", reason: "It takes a smaller model that drafts: name one with --draft." });
  decoded ??= await decodeInTurns(loaded, await readWhole(loaded, tokens, null), tokens, []);
  // In the order of the list, whoever was first.
  policies.sort((one, other) => placeIn(contenders, one.policy) - placeIn(contenders, other.policy));
  return { prefillMs: read.milliseconds, firstTokenMs: first.milliseconds, ...decoded, policies, refused };
}

const placeIn = (contenders: readonly Contender[], policy: string): number => contenders.findIndex(({ name }) => name === policy);

function contendersOf({ modules }: BenchModel, { policies, draftModel }: Settings): Contender[] {
  return policies.flatMap((policy): Contender[] => {
    if (policy === "lookahead") return modules.map((module) => ({ name: module.name, policy, module }));
    return policy === "speckv" && draftModel === null ? [] : [{ name: policy, policy, module: null }];
  });
}

type Decoded = Pick<EngineTimes, "decodeMs" | "cacheBytes" | "kept">;
type Chosen = { readonly budget: number; readonly kept: KeptTokens };

/**
 * Decodes the same tokens from the full cache and from what was chosen of it, which take turns at every token: what else the machine does falls on all.
 * The full cache holds the prompt alone afterwards.
 */
async function decodeInTurns(loaded: Loaded, full: ModelContext, tokens: Uint32Array, chosen: readonly Chosen[]): Promise<Decoded> {
  const small: ModelContext[] = [];
  // The policy may have left it on, and it would cost the full cache's tokens alone.
  full.stopScoring();
  try {
    for (const { kept } of chosen) small.push(await gather(loaded, full, kept));
    const caches = [full, ...small].map((context) => ({ context, times: [] as number[] }));
    for (let index = 0; index < answerTokens; index++)
      for (const { context, times } of caches) times.push(await decodeOne(loaded, context, tokens, index));
    const [ofFull, ...ofKept] = caches.map(({ context, times }) => ({ cacheBytes: context.buffers().cache, decodeMs: times }));
    if (ofFull === undefined) throw new RangeError("There is no full cache.");
    return { ...ofFull, kept: ofKept.map((times, place) => ({ budget: chosen[place]?.budget ?? 0, ...times })) };
  } finally {
    for (const context of small) await context.dispose();
    full.truncate(tokens.length);
  }
}

/** Milliseconds of the token at that place behind the prompt, with the choice of the next, which is then not taken. */
async function decodeOne({ model }: Loaded, context: ModelContext, tokens: Uint32Array, index: number): Promise<number> {
  const { milliseconds } = await timed(async () => {
    await context.decode(tokens.subarray(index, index + 1), tokens.length + index, true);
    await likeliest(model, context);
  });
  return milliseconds;
}

/** The kept tokens in a cache of their own, with room to decode. */
async function gather(loaded: Loaded, context: ModelContext, kept: KeptTokens): Promise<ModelContext> {
  const small = await loaded.createKept(kept.budgets, answerTokens);
  try {
    await small.keepFrom(context, kept);
    return small;
  } catch (error) {
    await small.dispose();
    throw error;
  }
}

/** Its own draft is as long as a draft may be, whatever it says: otherwise what one costs would depend on the length at which the model happens to end. */
const endless = (loaded: Loaded): Loaded => ({ ...loaded, stops: [], model: { ...loaded.model, isEnd: () => false } });

async function measurePolicy(
  loaded: Loaded,
  { request, prompt }: Asked,
  { budgets, reference, draftModel, first }: Omit<Settings, "policies"> & { readonly first: number },
  { name, policy, module }: Contender,
): Promise<{ times: PolicyTimes; chosen: Chosen[]; context: ModelContext }> {
  const promptTokens = prompt.tokens.length;
  const planOf = (budget: number) => planKept({ policy, budget }, { ...prompt, promptTokens }, module, seed);
  const plan = planOf(reference);
  const { context, readingMs } = await readFor(loaded, prompt, plan);
  const { signal } = new AbortController();
  const stopper = createStopper(signal);
  try {
    const writeDraft = createDraftWriter(endless(loaded), { request, draftModel, signal, emit: () => undefined });
    const drafted = await timed(() => writeDraft({ context, plan, first, stopper }));
    const scored = await timed(() => scorePrompt(context, plan, drafted.result));
    const chosen: Chosen[] = [];
    const times: PolicyTimes["budgets"] = [];
    for (const budget of budgets) {
      const selected = await timed(() => selectKept(planOf(budget), context.shape(), scored.result));
      const gathered = await timed(() => gather(loaded, context, selected.result));
      await gathered.result.dispose();
      chosen.push({ budget, kept: selected.result });
      times.push({ budget, selectionMs: selected.milliseconds, gatherMs: gathered.milliseconds });
    }
    const hasDraft = plan.behind === "own-draft" || plan.behind === "draft-model";
    const draftMs = hasDraft ? drafted.milliseconds : 0;
    const draftTokens = drafted.result?.length ?? 0;
    return { times: { policy: name, readingMs, draftMs, draftTokens, scoringMs: scored.milliseconds, budgets: times }, chosen, context };
  } finally {
    stopper.end();
  }
}
