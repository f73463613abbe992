import type { EngineRequestOf } from "../../electron/contract/engine.ts";
import { toProblem } from "../../electron/contract/errors.ts";
import type { Importance } from "../../electron/contract/heatmap.ts";
import type { ActionContext } from "../app/context.ts";
import { choiceOf } from "../budget/choice.ts";
import { usedChoice } from "../budget/choices.ts";
import { circumstancesOf } from "../budget/circumstances.ts";
import { indexHeat, isCutAlike, pageKey } from "./heatIndex.ts";
import type { HeatChoice, HeatSubject, Pointed } from "./heatStore.ts";
import { inSlices } from "./inSlices.ts";

export type HeatActions = {
  /** What is asked for may be another prompt, budget or model now: shows what is known of it without reading anything. */
  readonly refresh: () => void;
  /** Scores the last answer's prompt, reading what is neither in memory nor on disk. */
  readonly read: () => Promise<void>;
  readonly stopReading: () => void;
  readonly choose: (change: Partial<HeatChoice>) => void;
  /** What a budget (null: everything) would keep, while the slider is dragged; the last one wins. */
  readonly preview: (budget: number | null) => void;
  readonly endPreview: () => void;
  readonly point: (pointed: Pointed | null) => void;
};

type ImportanceRequest = EngineRequestOf<"importance">;

/** As a budget, everything: more tokens than any prompt has. */
const everything = 2 ** 30;

export function createHeatActions({ engine, stores }: ActionContext): HeatActions {
  const { heat } = stores;
  /** Ends what is under way for an earlier state of things. */
  let current = new AbortController();
  /** The request that is shown or on its way. */
  let shown = "";
  let previewing: { wanted: number | null } | null = null;

  /** Pages are drawn in their turn: until then they point at what is no unit any more. */
  const isIndexed = ({ documentId, page, unit }: Pointed): boolean => {
    const { subject } = heat.getState();
    return subject.status === "ready" && (subject.index.pages.get(pageKey(documentId, page))?.units.includes(unit) ?? false);
  };
  const setSubject = (subject: HeatSubject): void => heat.setState({ subject, pointed: null });

  /** What there is to ask for; null where nothing is. */
  function wanted(): ImportanceRequest | null {
    const conversation = stores.conversations.getState().current;
    const turn = conversation?.turns.at(-1);
    if (conversation === null || turn === undefined || turn.status === "writing" || stores.model.getState().current === null) return null;
    if (conversation.documents.some(({ documentId }) => stores.documents.getState().open[documentId] === undefined)) return null;
    const choice = choiceOf(stores);
    const { policy, draftModel, share } = usedChoice(choice, circumstancesOf(stores));
    const budget = choice.budget === "full" ? everything : choice.budget;
    return { conversationId: conversation.id, budget, policy, draftModel, share, layerHead: heat.getState().layerHead };
  }

  async function show(importance: Importance, signal: AbortSignal): Promise<void> {
    const { granularity, subject: before } = heat.getState();
    // Another budget keeps other tokens of the same units.
    const known =
      before.status === "ready" && before.index.granularity === granularity && isCutAlike(before.importance, importance)
        ? before.index
        : null;
    const index = known ?? (await inSlices(indexHeat(importance, granularity), signal));
    if (index !== null) setSubject({ status: "ready", importance, index });
  }

  /** The bytes of what is chosen, for those who do not drag. */
  async function learnSize({ layerHead: _layerHead, ...choice }: ImportanceRequest, signal: AbortSignal): Promise<void> {
    try {
      const { budget, keptCacheBytes } = await engine("preview", choice, { signal });
      if (!signal.aborted) heat.setState({ size: { budget, bytes: keptCacheBytes } });
    } catch {
      // The heat is there; its bytes are not.
    }
  }

  async function load(request: ImportanceRequest, signal: AbortSignal): Promise<void> {
    const before = heat.getState().subject;
    if (before.status !== "ready") setSubject({ status: "loading" });
    try {
      const importance = await engine("importance", request, { signal });
      if (signal.aborted) return;
      await show(importance, signal);
      await learnSize(request, signal);
    } catch (error) {
      if (signal.aborted) return;
      const problem = toProblem(error);
      const missing = problem.code === "scores-missing" || problem.code === "usage";
      setSubject(missing ? { status: "missing", reason: problem } : { status: "failed", problem });
    }
  }

  function refresh(): void {
    const request = wanted();
    const { current: conversation } = stores.conversations.getState();
    const turn = conversation?.turns.at(-1);
    const model = stores.model.getState().current;
    const key =
      request === null
        ? ""
        : JSON.stringify([request, conversation?.pins, turn?.id, turn?.status, model?.report.id, model?.contextLength, model?.kvType]);
    if (key === shown) return;
    shown = key;
    current.abort();
    current = new AbortController();
    heat.setState({ preview: null, size: null });
    if (request === null) setSubject({ status: "none" });
    else void load(request, current.signal);
  }

  async function preview(budget: number): Promise<void> {
    if (previewing !== null) {
      previewing.wanted = budget;
      return;
    }
    const { subject } = heat.getState();
    const request = wanted();
    if (subject.status !== "ready" || request === null) return;
    const own: { wanted: number | null } = { wanted: null };
    previewing = own;
    const { layerHead: _layerHead, ...choice } = request;
    try {
      const kept = await engine("preview", { ...choice, budget }, { signal: current.signal });
      if (previewing === own) heat.setState({ preview: kept, size: { budget, bytes: kept.keptCacheBytes } });
    } catch {
      // The page goes on showing what is kept; the answer itself will say what is wrong with a budget.
    }
    if (previewing !== own) return;
    previewing = null;
    if (own.wanted !== null) await preview(own.wanted);
  }

  return {
    refresh,
    async read() {
      const request = wanted();
      if (request === null) return;
      current.abort();
      current = new AbortController();
      const { signal } = current;
      setSubject({ status: "reading", progress: null });
      try {
        const importance = await engine(
          "importance",
          { ...request, read: true },
          {
            signal,
            onEvent: (event) => {
              if (event.event === "progress" && !signal.aborted) heat.setState({ subject: { status: "reading", progress: event } });
            },
          },
        );
        if (!signal.aborted) await show(importance, signal);
      } catch (error) {
        if (!signal.aborted) setSubject({ status: "failed", problem: toProblem(error) });
      }
    },
    stopReading() {
      if (heat.getState().subject.status !== "reading") return;
      current.abort();
      shown = "";
      refresh();
    },
    choose(change) {
      heat.setState({ ...change, pointed: null });
      if (change.layerHead !== undefined) return refresh();
      const { subject, granularity } = heat.getState();
      if (subject.status === "ready" && subject.index.granularity !== granularity) void show(subject.importance, current.signal);
    },
    preview: (budget) => void preview(budget ?? everything),
    endPreview() {
      previewing = null;
      heat.setState({ preview: null });
    },
    point(pointed) {
      heat.setState({ pointed: pointed !== null && isIndexed(pointed) ? pointed : null });
    },
  };
}
