import { resolve } from "node:path";
import type { CallOptions } from "../../engine/callOptions.ts";
import { refuseDraftContradiction } from "../../engine/conversation/draftModel.ts";
import type { Engine } from "../../engine/engine.ts";
import { checkedOut, writeWhole } from "../../engine/writeWhole.ts";
import type { CommandOf } from "../arguments.ts";
import type { Output } from "../output.ts";
import { pinsOf } from "../pins.ts";
import { prepare } from "../prepare.ts";
import { durationOf, heatmapNotices, moduleNotice, scoringWords, sizeOf } from "../summary.ts";
import { heatmapHtml } from "./html.ts";
import { type HeatmapOf, heatmapJson } from "./json.ts";
import { heatmapPicture, refuseTexts } from "./picture.ts";
import { encodePng } from "./png.ts";

/**
 * `heatmap`: what a budget would keep of the documents, as a file.
 * @param documentWorker the bundled worker that draws a PDF's pages
 * @throws LongsightError
 */
export async function heatmap(
  engine: Engine,
  command: CommandOf<"heatmap">,
  output: Output,
  call: CallOptions,
  documentWorker: string,
): Promise<void> {
  const { options, files } = command;
  const { format } = options.out;
  const draftModel = options["draft-model"] ?? null;
  refuseDraftContradiction({ policy: options.policy, draftModel });
  const path = await checkedOut(
    options.out.path,
    files.map((file) => resolve(file)),
  );
  const { documents, choices, extractMs, loaded } = await prepare(engine, command, { answer: 1, scored: true }, output, call, (opened) => {
    if (format === "png") refuseTexts(opened);
  });
  const { question, budget, policy, seed = 0 } = options;
  const warning = policy === "lookahead" ? moduleNotice(loaded.lookahead) : null;
  if (warning !== null) output.notice(warning);
  const pins = await pinsOf(options, documents, (text) => engine.call("findPassages", { documents: choices, text }, call));
  const drawn = await engine.call(
    "heatmap",
    { documents: choices, pins, question, budget, policy, draftModel, share: options.share, seed },
    call,
  );
  for (const sentence of heatmapNotices(policy, drawn)) output.notice(sentence);

  const module = drawn.policy === "lookahead" ? loaded.lookahead : null;
  const of: HeatmapOf = { heatmap: drawn, question, documents, asked: policy, module };
  const pieces = () => {
    if (format === "json") return heatmapJson(of);
    if (format === "html") return heatmapHtml(of);
    const bytesOf = (documentId: string) => engine.call("documentBytes", { documentId }, call);
    const { picture, notices, legend } = heatmapPicture(of, { workerPath: documentWorker, bytesOf, signal: call.signal });
    for (const sentence of notices) output.notice(sentence);
    output.summary(legend);
    return encodePng(picture);
  };
  const { bytes } = await writeWhole(path, pieces());

  const { parts: _parts, starts: _starts, scores: _scores, kept: _kept, protectedTokens: _protected, timings, ...figures } = drawn;
  const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10;
  const { prefillMs, scoringMs, selectionMs } = timings;
  output.event({
    event: "done",
    out: path,
    format,
    bytes,
    ...figures,
    module,
    timings: { extractMs, prefillMs: round(prefillMs), scoringMs: round(scoringMs), selectionMs: round(selectionMs) },
  });
  output.summary(
    [
      `read ${drawn.promptTokens.toLocaleString("en")} tokens`,
      budget >= drawn.promptTokens ? "would keep all" : `would keep ${drawn.keptTokens.toLocaleString("en")} per head`,
      `prefill ${durationOf(prefillMs)}`,
      ...scoringWords(drawn.policy, scoringMs),
      `selection ${durationOf(selectionMs)}`,
    ].join(" · "),
  );
  output.text(`${path} (${sizeOf(bytes)})\n`);
}
