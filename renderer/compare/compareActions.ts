import type { AnswerFigures, Turn } from "../../electron/contract/conversation.ts";
import { toProblem } from "../../electron/contract/errors.ts";
import type { ActionContext } from "../app/context.ts";
import { leastBudget } from "../budget/budget.ts";
import { choiceOf } from "../budget/choice.ts";
import { type Choice, type Circumstances, usedChoice } from "../budget/choices.ts";
import { circumstancesOf } from "../budget/circumstances.ts";
import { withCompareProgress } from "./compareStore.ts";

export type CompareActions = {
  /** Opens the comparison of a turn of the current conversation; nothing is asked yet. */
  readonly open: (turn: Turn) => void;
  /** Answers twice at this budget. Never rejects. */
  readonly run: (budget: number) => Promise<void>;
  readonly stop: () => void;
};

/** What an answer is compared by: the policy that chose for it, else the one that is set, from the whole prompt. */
export function comparedChoice(figures: AnswerFigures | null, choice: Choice, circumstances: Circumstances): Choice {
  const own = figures === null || figures.policy === "full" ? {} : { policy: figures.policy };
  return usedChoice({ ...choice, ...own, mode: "question" }, circumstances);
}

export function createCompareActions({ engine, stores }: ActionContext): CompareActions {
  const store = stores.compare;
  let controller: AbortController | null = null;

  /** The budget of the answer itself, else the one that is set, else a quarter of the prompt. */
  function proposedBudget({ figures }: Turn): number {
    const choice = choiceOf(stores);
    if (figures !== null && figures.keptTokens !== null && figures.budget !== "full") return figures.budget;
    if (choice.budget !== "full") return choice.budget;
    return Math.max(leastBudget(choice.policy), Math.round((figures?.promptTokens ?? 1024) / 4));
  }

  return {
    open(turn) {
      const { current } = stores.conversations.getState();
      if (current === null) return;
      controller?.abort();
      store.setState({
        compared: {
          conversationId: current.id,
          turnId: turn.id,
          question: turn.question,
          budget: proposedBudget(turn),
          running: false,
          writing: null,
          progress: null,
          result: null,
          problem: null,
        },
      });
      stores.shell.setState({ dialog: "compare" });
    },
    async run(budget) {
      const { compared } = store.getState();
      if (compared === null || compared.running) return;
      const mine = new AbortController();
      controller = mine;
      store.setState({ compared: { ...compared, budget, running: true, writing: null, progress: null, problem: null } });
      const change = (work: Parameters<typeof store.setState>[0]): void => {
        if (controller === mine) store.setState(work);
      };
      const { settings } = stores.shell.getState();
      const figures = stores.conversations.getState().current?.turns.find(({ id }) => id === compared.turnId)?.figures ?? null;
      const { policy, draftModel, share } = comparedChoice(figures, choiceOf(stores), circumstancesOf(stores));
      try {
        const result = await engine(
          "compare",
          {
            conversationId: compared.conversationId,
            question: compared.question,
            replaceTurnId: compared.turnId,
            // By the seed of the answer that is there, so that the two differ in nothing but the cache.
            sampling: { ...settings.sampling, seed: figures?.seed ?? settings.sampling.seed },
            budget,
            policy,
            draftModel,
            share,
          },
          {
            signal: mine.signal,
            onEvent: (event) => {
              if (event.event !== "progress") return;
              change(({ compared: now }) => ({ compared: now === null ? null : withCompareProgress(now, event) }));
            },
          },
        );
        change(({ compared: now }) => ({ compared: now === null ? null : { ...now, running: false, progress: null, result } }));
      } catch (error) {
        const problem = toProblem(error);
        const shown = problem.code === "cancelled" ? null : problem;
        change(({ compared: now }) => ({ compared: now === null ? null : { ...now, running: false, progress: null, problem: shown } }));
      }
    },
    stop() {
      controller?.abort();
    },
  };
}
