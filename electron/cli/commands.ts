import { resolve } from "node:path";
import { LongsightError } from "../contract/errors.ts";
import { amountOf } from "../engine/amounts.ts";
import type { CallOptions } from "../engine/callOptions.ts";
import { refuseUnsupported } from "../engine/conversation/ask.ts";
import type { Engine } from "../engine/engine.ts";
import { type CommandOf, samplingOf } from "./arguments.ts";
import type { Output } from "./output.ts";
import { startPinned } from "./pins.ts";
import { countTokens, defaultModel, openDocument, prepare } from "./prepare.ts";
import { moduleNotice, policyNotice, summaryOf } from "./summary.ts";

/**
 * `ask`: documents in, answer out.
 * @throws LongsightError
 */
export async function ask(engine: Engine, command: CommandOf<"ask">, output: Output, call: CallOptions): Promise<void> {
  const { options } = command;
  const { budget, policy, mode } = options;
  const draftModel = options["draft-model"] ?? null;
  refuseUnsupported({ budget, policy, draftModel, mode, share: options.share });
  const maxTokens = options["max-tokens"];
  // In mode streaming the full cache is for prompts that the budget holds whole.
  const fullCacheTokens = mode === "streaming" && budget !== "full" ? budget + maxTokens : null;
  const room = {
    answer: maxTokens,
    scored: budget !== "full",
    fullCacheTokens: fullCacheTokens === null ? null : Math.max(256, fullCacheTokens),
  };
  const { documents, choices, extractMs, measured, loaded } = await prepare(engine, command, room, output, call);
  const isLookahead = policy === "lookahead" && budget !== "full" && budget < measured.promptTokens;
  const warning = isLookahead ? moduleNotice(loaded.lookahead) : null;
  if (warning !== null) output.notice(warning);
  const conversationId = await startPinned(engine, options, { documents, choices }, call);
  const { figures } = await engine.call(
    "ask",
    {
      conversationId,
      question: options.question,
      replaceTurnId: null,
      sampling: samplingOf(options),
      budget,
      policy,
      draftModel,
      share: options.share,
      mode,
    },
    call,
  );
  output.text("\n");
  const notice = policyNotice(policy, figures.policy, figures.promptTokens);
  if (notice !== null) output.notice(notice);
  output.summary(summaryOf(figures));
  const module = figures.policy === "lookahead" ? loaded.lookahead : null;
  output.event({ event: "done", ...figures, module, timings: { ...figures.timings, extractMs } });
  if (figures.stopReason === "cancelled") throw new LongsightError("cancelled", "Stopped.");
}

/** `inspect`: what a document is like before anyone asks. */
export async function inspect(engine: Engine, command: CommandOf<"inspect">, output: Output, call: CallOptions): Promise<void> {
  const { options } = command;
  const model = options.model ?? (await defaultModel(engine, call).catch(() => null));
  if (model !== null) await engine.call("inspectModel", { model }, call);
  const read = await openDocument(engine, command.file, options, call);
  if (model !== null) await engine.call("loadModel", { model, contextLength: 256, kvType: "f16", threads: null }, call);
  const document = model === null ? read : await countTokens(engine, command.file, options, call);
  output.event({ event: "document", ...document });
  const amounts = [amountOf(document.pages.length, "page"), amountOf(document.characters, "character")];
  if (document.tokens !== null) amounts.push(amountOf(document.tokens, "token"));
  output.text(`${document.name}: ${[document.kind, ...amounts].join(", ")}\n`);
  for (const notice of document.notices) output.text(`! ${notice}\n`);
  for (const page of document.pages) {
    const flags = page.flags.length === 0 ? "" : `  ${page.flags.join(", ")}`;
    output.text(`page ${page.page}: ${amountOf(page.characters, "character")}${flags}\n`);
    if (!options.text) continue;
    const { text } = await engine.call("pageText", { documentId: document.id, page: page.page }, call);
    output.event({ event: "text", page: page.page, text });
    output.text(`${text}\n\n`);
  }
}

/** `models list` and `models verify PATH`. */
export async function models(
  engine: Engine,
  command: CommandOf<"models-list" | "models-verify">,
  output: Output,
  call: CallOptions,
): Promise<void> {
  const reports =
    command.name === "models-verify"
      ? [await engine.call("inspectModel", { model: resolve(command.path) }, call)]
      : await engine.call("listModels", {}, call);
  if (reports.length === 0) output.text("No model is installed. Run `npm start` once: it fetches the embedded one.\n");
  for (const report of reports) {
    output.event({ event: "model", ...report });
    output.text(
      [
        `${report.id}  (${report.name}, ${report.architecture}, ${report.quantisation}, ${(report.fileBytes / 1e6).toFixed(0)} MB)`,
        `  ${report.path}`,
        `  context ${report.trainedContextLength.toLocaleString("en")} tokens, ${report.layers} layers, ${report.attentionHeads} heads, ${report.kvHeads} KV heads`,
        `  cache per token: ${report.kvBytesPerToken.f16.toLocaleString("en")} bytes in f16, ${report.kvBytesPerToken.q8_0.toLocaleString("en")} in q8_0, ${report.kvBytesPerToken.q4_0.toLocaleString("en")} in q4_0`,
        `  ${report.fit.sentence}`,
        "",
      ].join("\n"),
    );
  }
}

/** `about`: which native build and CPU variant is loaded. */
export async function about(engine: Engine, output: Output, call: CallOptions): Promise<void> {
  const description = await engine.call("about", {}, call);
  output.event({ event: "about", ...description });
  output.text(
    [
      `Longsight ${description.version}`,
      `engine     ${description.build}`,
      `variant    ${description.variant}${description.gpu === null ? "" : `, ${description.gpu}`}`,
      ...description.backends.map((backend) => `backend    ${backend}`),
      `binding    node-llama-cpp ${description.nodeLlamaCpp}, addon ${description.addonVersion}`,
      `runtime    ${description.runtime}`,
      `machine    ${description.cores} cores, ${(description.memoryBytes / 1024 ** 3).toFixed(1)} GB memory, ${(description.freeMemoryBytes / 1024 ** 3).toFixed(1)} GB free`,
      "",
    ].join("\n"),
  );
}
