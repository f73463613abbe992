import { below, shuffled } from "../../../bench/quality/chance.ts";
import type { CacheMode } from "../../../electron/contract/conversation.ts";
import { type ChoosingPolicy, choosingPolicySchema, policyFacts } from "../../../electron/contract/policies.ts";
import { type RandomNumbers, randomOf } from "../../../electron/engine/lookahead/xoshiro.ts";

/** What is asked in one turn of a conversation that chance has planned. */
export type PlannedTurn = {
  /** Of the documents that there are, those that the conversation has now, by number and in its order: at least one. */
  readonly documents: readonly number[];
  readonly question: string;
  /** Decides what is kept where the budget is smaller than the prompt. */
  readonly policy: ChoosingPolicy;
  readonly seed: number;
  /** Whether the smaller of two budgets is asked with first, so that the larger one's answer stays. */
  readonly keptFirst: boolean;
  /** An answer between the turns that is thrown away: nothing of it may be seen in later ones. */
  readonly aside: { readonly mode: CacheMode; readonly budget: number; readonly policy: ChoosingPolicy } | null;
};

const questions = [
  "What is the code of the harbour light?",
  "When was the harbour light built, and of what?",
  "What does the keeper write down each evening?",
  "How does the oil for the lamp arrive?",
  "Why are the stairs salted in winter?",
  "Which volumes do you have? Name their first words.",
  "And what did I ask before that?",
  "Say it again in fewer words.",
] as const;

/** Those that need no other model. */
const policies = choosingPolicySchema.options.filter((policy) => !policyFacts[policy].needsDraftModel);
const asideModes = ["question", "once", "streaming"] as const;

/**
 * A conversation in which documents come and go: the same for the same seed.
 * @param documents how many there are to choose from
 */
export function planConversation(seed: number, turns: number, documents: number): PlannedTurn[] {
  const random = randomOf(seed);
  const pick = <Thing>(things: readonly [Thing, ...Thing[]]): Thing => things[below(random, things.length)] ?? things[0];
  let present = shuffled([...Array(documents).keys()], random).slice(0, 1 + below(random, documents));
  return Array.from({ length: turns }, (_, turn): PlannedTurn => {
    if (turn > 0) present = changed(present, documents, random);
    const policy = policies[below(random, policies.length)] ?? "snapkv";
    const mode = pick(asideModes);
    const inTurn = {
      documents: present,
      question: pick(questions),
      policy,
      seed: below(random, 1_000_000),
      keptFirst: below(random, 2) === 0,
    };
    const budget = 120 + below(random, 80);
    const asideOf = mode === "question" || policyFacts[policy].inWindows ? policy : "snapkv";
    return { ...inTurn, aside: below(random, 2) === 0 ? { mode, budget, policy: asideOf } : null };
  });
}

/** One document more at any place, one less, or (in one of three cases) no change. */
function changed(present: readonly number[], count: number, random: RandomNumbers): number[] {
  const absent = [...Array(count).keys()].filter((number) => !present.includes(number));
  const change = below(random, 3);
  const added = absent[below(random, Math.max(1, absent.length))];
  const place = below(random, present.length + 1);
  if (change === 0 && added !== undefined) return [...present.slice(0, place), added, ...present.slice(place)];
  if (change === 1 && present.length > 1) return present.filter((_, index) => index !== place % present.length);
  return [...present];
}
