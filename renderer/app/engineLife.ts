import type { Problem } from "../../electron/contract/errors.ts";
import type { EngineState } from "../../electron/contract/shell.ts";
import type { EngineCaller } from "../engine/call.ts";
import type { Stores } from "./context.ts";

export type EngineLife = { readonly changed: (engine: EngineState) => void };

/**
 * Follows the engine's process: what is in the air fails with it, and what the window knows of its memory goes with it.
 * @param onReady a new process is there, with no model and no document in memory
 */
export function createEngineLife(
  caller: Pick<EngineCaller, "started" | "stopped">,
  stores: Pick<Stores, "model" | "shell" | "snapshots">,
  onReady: () => void,
): EngineLife {
  // One process may be ready, fall silent and be ready again: only a new one has nothing in memory.
  let prepared = false;

  function gone(problem: Problem): void {
    prepared = false;
    caller.stopped(problem);
    stores.model.setState({ current: null, loading: null, looking: false });
    stores.snapshots.setState({ usage: null });
  }

  return {
    changed(engine) {
      const { engine: before } = stores.shell.getState();
      if (engine.state === "stopped") gone(engine.problem);
      // A restart of one that was silent: its process, and all that waits for it, is gone.
      else if (engine.state === "starting" && before.state === "unresponsive") gone(before.problem);
      else if (engine.state === "starting") prepared = false;
      stores.shell.setState({ engine });
      if (engine.state === "stopped") return;
      caller.started();
      if (engine.state !== "ready" || prepared) return;
      prepared = true;
      onReady();
    },
  };
}
