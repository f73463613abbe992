import type { Sampling, Turn } from "../../electron/contract/conversation.ts";
import type { StreamEvent } from "../../electron/contract/engine.ts";
import { toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import { type BudgetChoice, evictionOf } from "../budget/budget.ts";
import { choiceIn } from "../budget/choice.ts";
import { circumstancesOf } from "../budget/circumstances.ts";
import { withTurnSettled, withTurnStarted, withVersions } from "../conversations/conversationsStore.ts";
import { withAsked, withEnd, withLive, withNotice, withoutLive } from "./answerStore.ts";

/** What one answer is made with otherwise than the settings say. */
export type AnswerChange = { readonly sampling?: Partial<Sampling>; readonly choice?: BudgetChoice };

export type AnswerActions = {
  /** Asks in a conversation; the answer lands there wherever the person goes meanwhile. `change` is for this answer alone. Never rejects. */
  readonly ask: (conversationId: string, question: string, replaceTurnId: string | null, change?: AnswerChange) => Promise<void>;
  /** Stops what is being written or waited for; what was written stays. */
  readonly stop: (conversationId: string) => void;
  /** Puts a refused question away. */
  readonly dismiss: (conversationId: string) => void;
};

/** Milliseconds between two paints of the growing text. */
const flushEvery = 50;
/** Milliseconds to wait before each look whether a stopped turn has been written down. */
const settleDelays = [150, 400, 1000, 2000, 4000, 8000, 16_000];

export function createAnswerActions({ engine, stores }: ActionContext, onTurnWritten: () => void): AnswerActions {
  const controllers = new Map<string, AbortController>();

  function settle(conversationId: string, turn: Turn): void {
    stores.conversations.setState((state) => withTurnSettled(state, conversationId, turn));
    stores.answer.setState((state) => withEnd(withoutLive(state, conversationId), conversationId, turn.status));
  }

  /** The same turn with what became of it, where it is still shown. */
  function correct(conversationId: string, turnId: string, change: Partial<Turn>): void {
    stores.conversations.setState((state) => {
      const shown = state.current?.turns.find((turn) => turn.id === turnId);
      return shown === undefined ? state : withTurnSettled(state, conversationId, { ...shown, ...change });
    });
  }

  /** The engine writes a stopped turn down after the request has ended: take its version, with the figures, when it is there. */
  async function settleFromEngine(conversationId: string, turnId: string): Promise<void> {
    for (const delay of settleDelays) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      const conversation = await engine("getConversation", { conversationId });
      const stored = conversation.turns.find((turn) => turn.id === turnId);
      if (stored === undefined) return;
      if (stored.status !== "writing") return correct(conversationId, turnId, stored);
    }
  }

  /** A new version stands beside others, which the engine knows. */
  async function learnVersions(conversationId: string): Promise<void> {
    try {
      const { versions } = await engine("getConversation", { conversationId });
      stores.conversations.setState((state) => withVersions(state, conversationId, versions));
    } catch (error) {
      if (toProblem(error).code !== "conversation-unknown") reportProblem(stores, error);
    }
  }

  async function settleStopped(conversationId: string, turnId: string): Promise<void> {
    stores.answer.setState((state) => ({ stopping: [...state.stopping, turnId] }));
    try {
      await settleFromEngine(conversationId, turnId);
    } catch (error) {
      const { code } = toProblem(error);
      if (code === "engine-died") correct(conversationId, turnId, { status: "interrupted" });
      // A conversation that was deleted meanwhile has nothing to settle.
      if (code !== "conversation-unknown") reportProblem(stores, error);
    } finally {
      stores.answer.setState((state) => ({ stopping: state.stopping.filter((id) => id !== turnId) }));
    }
  }

  function giveQuestionBack(conversationId: string, question: string): void {
    stores.prompt.setState((state) =>
      (state.drafts[conversationId] ?? "") === "" ? { drafts: { ...state.drafts, [conversationId]: question } } : state,
    );
  }

  function fail(conversationId: string, thrown: unknown): void {
    const problem = toProblem(thrown);
    const live = stores.answer.getState().live[conversationId];
    if (live === undefined) return;
    const { turn, text, question, replaceTurnId } = live;
    const answer = text === "" ? (turn?.answer ?? "") : text;
    if (problem.code === "cancelled") {
      if (turn === null) {
        stores.answer.setState((state) => withEnd(withoutLive(state, conversationId), conversationId, "stopped"));
        if (replaceTurnId === null) giveQuestionBack(conversationId, question);
        return;
      }
      settle(conversationId, { ...turn, answer, status: "stopped" });
      void settleStopped(conversationId, turn.id);
    } else if (turn === null) {
      stores.answer.setState((state) =>
        withEnd(
          withLive(state, conversationId, () => ({ status: "failed", problem, progress: null })),
          conversationId,
          problem.code === "engine-died" ? "interrupted" : "failed",
        ),
      );
      if (replaceTurnId === null) giveQuestionBack(conversationId, question);
    } else if (problem.code === "engine-died") {
      settle(conversationId, { ...turn, answer, status: "interrupted", problem });
    } else {
      settle(conversationId, { ...turn, answer, status: "failed", problem });
    }
  }

  return {
    async ask(conversationId, question, replaceTurnId, change = {}) {
      if (controllers.has(conversationId)) return;
      const controller = new AbortController();
      controllers.set(conversationId, controller);
      const { settings } = stores.shell.getState();
      const { current } = stores.conversations.getState();
      const choice = { ...choiceIn(settings, current?.id === conversationId ? current : null), ...change.choice };
      stores.answer.setState((state) => withAsked(state, conversationId, question, replaceTurnId));

      let unwritten = "";
      let timer: ReturnType<typeof setTimeout> | null = null;
      const flush = (): void => {
        timer = null;
        const text = unwritten;
        unwritten = "";
        if (text !== "") stores.answer.setState((state) => withLive(state, conversationId, (live) => ({ text: live.text + text })));
      };
      const onEvent = (event: StreamEvent): void => {
        if (event.event === "token") {
          unwritten += event.text;
          timer ??= setTimeout(flush, flushEvery);
        } else if (event.event === "progress") {
          stores.answer.setState((state) => withLive(state, conversationId, () => ({ progress: event })));
        } else if (event.event === "turn") {
          stores.conversations.setState((state) => withTurnStarted(state, conversationId, event.turn, replaceTurnId));
          stores.answer.setState((state) => withLive(state, conversationId, () => ({ turn: event.turn })));
          // A first question gives its conversation its title.
          onTurnWritten();
          if (replaceTurnId !== null) void learnVersions(conversationId);
        } else if (event.event === "notice") {
          stores.answer.setState((state) => withNotice(state, conversationId, { message: event.message, said: event.said }));
        }
      };

      try {
        const { turn } = await engine(
          "ask",
          {
            conversationId,
            question,
            replaceTurnId,
            sampling: { ...settings.sampling, ...change.sampling },
            ...evictionOf(choice, circumstancesOf(stores)),
          },
          { signal: controller.signal, onEvent },
        );
        settle(conversationId, turn);
      } catch (error) {
        if (timer !== null) clearTimeout(timer);
        flush();
        fail(conversationId, error);
      } finally {
        if (timer !== null) clearTimeout(timer);
        controllers.delete(conversationId);
        onTurnWritten();
      }
    },
    stop(conversationId) {
      controllers.get(conversationId)?.abort();
    },
    dismiss(conversationId) {
      stores.answer.setState((state) => withoutLive(state, conversationId));
    },
  };
}
