import { toProblem } from "../../electron/contract/errors.ts";
import { type AnswerStore, createAnswerStore } from "../answer/answerStore.ts";
import { type CompareStore, createCompareStore } from "../compare/compareStore.ts";
import { type ConversationsStore, createConversationsStore } from "../conversations/conversationsStore.ts";
import { createDocumentsStore, type DocumentsStore } from "../documents/documentsStore.ts";
import type { CallEngine } from "../engine/call.ts";
import { createHeatStore, type HeatStore } from "../heat/heatStore.ts";
import { createModelStore, type ModelStore } from "../model/modelStore.ts";
import { createFindStore, type FindStore } from "../pages/findStore.ts";
import { createViewStore, type ViewStore } from "../pages/viewStore.ts";
import { createPinsStore, type PinsStore } from "../pins/pinsStore.ts";
import { createPromptStore, type PromptStore } from "../prompt/promptStore.ts";
import type { CallShell } from "../shell/bridge.ts";
import { createShellStore, type ShellStore, withProblem } from "../shell/shellStore.ts";
import { createSnapshotsStore, type SnapshotsStore } from "../snapshots/snapshotsStore.ts";

export type Stores = {
  readonly shell: ShellStore;
  readonly documents: DocumentsStore;
  readonly conversations: ConversationsStore;
  readonly answer: AnswerStore;
  readonly model: ModelStore;
  readonly prompt: PromptStore;
  readonly view: ViewStore;
  readonly find: FindStore;
  readonly compare: CompareStore;
  readonly snapshots: SnapshotsStore;
  readonly heat: HeatStore;
  readonly pins: PinsStore;
};

/** What every action works with: the two ways out of the window, and the window's state. */
export type ActionContext = {
  readonly engine: CallEngine;
  readonly shell: CallShell;
  readonly stores: Stores;
};

export function createStores(): Stores {
  return {
    shell: createShellStore(),
    documents: createDocumentsStore(),
    conversations: createConversationsStore(),
    answer: createAnswerStore(),
    model: createModelStore(),
    prompt: createPromptStore(),
    view: createViewStore(),
    find: createFindStore(),
    compare: createCompareStore(),
    snapshots: createSnapshotsStore(),
    heat: createHeatStore(),
    pins: createPinsStore(),
  };
}

/** Shows what went wrong where it belongs to nothing else. A stop is no problem, and a dead engine has its own banner. */
export function reportProblem(stores: Stores, thrown: unknown): void {
  const problem = toProblem(thrown);
  if (problem.code === "cancelled" || problem.code === "engine-died") return;
  stores.shell.setState((state) => withProblem(state, problem));
}
