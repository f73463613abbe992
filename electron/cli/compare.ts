import type { CallOptions } from "../engine/callOptions.ts";
import { refuseDraftContradiction } from "../engine/conversation/draftModel.ts";
import type { Engine } from "../engine/engine.ts";
import { type CommandOf, samplingOf } from "./arguments.ts";
import type { Output } from "./output.ts";
import { startPinned } from "./pins.ts";
import { prepare } from "./prepare.ts";
import { durationOf, moduleNotice, policyNotice, summaryOf } from "./summary.ts";

/**
 * `compare`: one question, answered from the full cache and from a kept one.
 * @throws LongsightError
 */
export async function compare(engine: Engine, command: CommandOf<"compare">, output: Output, call: CallOptions): Promise<void> {
  const { options } = command;
  const { question, budget, policy } = options;
  const draftModel = options["draft-model"] ?? null;
  refuseDraftContradiction({ policy, draftModel });
  const room = { answer: options["max-tokens"], scored: true };
  const { documents, choices, extractMs, loaded } = await prepare(engine, command, room, output, call);
  const warning = policy === "lookahead" ? moduleNotice(loaded.lookahead) : null;
  if (warning !== null) output.notice(warning);
  const conversationId = await startPinned(engine, options, { documents, choices }, call);
  const asked = {
    conversationId,
    question,
    replaceTurnId: null,
    sampling: samplingOf(options),
    budget,
    policy,
    draftModel,
    share: options.share,
  };
  const { reading, full, kept } = await engine.call("compare", asked, call);
  const notice = policyNotice(policy, kept.policy, kept.promptTokens);
  if (notice !== null) output.notice(notice);
  output.text(`Full cache:\n${full.answer}\n\nBudget ${budget}, ${kept.policy}:\n${kept.answer}\n`);
  output.summary(`read and scored once in ${durationOf(reading.restoreMs + reading.prefillMs + reading.scoringMs)}`);
  output.summary(`full: ${summaryOf(full)}`);
  output.summary(`kept: ${summaryOf(kept)}`);
  const module = kept.policy === "lookahead" ? loaded.lookahead : null;
  output.event({ event: "done", full, kept, reading: { ...reading, extractMs }, module });
}
