import type { StreamEvent } from "../contract/engine.ts";

/** What comes with every request to the engine: the way to cancel it, and where its events go. */
export type CallOptions = { readonly signal: AbortSignal; readonly emit: (event: StreamEvent) => void };
