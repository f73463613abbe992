import { createHash } from "node:crypto";
import { type HeatmapOf, significant } from "./json.ts";
import { pageScript } from "./pageScript.ts";
import { pageStyle } from "./pageStyle.ts";
import { type Passage, passagesOf } from "./passages.ts";
import { keptLevel, keptShares, type ShadeOf, shadeScale, shadeShares } from "./shades.ts";

/** Text as HTML shows it, unit for unit: a carriage return would be read as a line end, and a zero dropped. */
function escaped(text: string): string {
  return text.replace(/\0/g, "\ufffd").replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const hashOf = (content: string) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

/** Nothing may be fetched, and nothing runs but the script that was put there: the text comes from anywhere. */
const contentPolicy = `default-src 'none'; script-src ${hashOf(pageScript)}; style-src ${hashOf(pageStyle)}; base-uri 'none'; form-action 'none'`;

/** A heatmap as one HTML file that needs nothing else: the documents' text shaded by score, underlined where it is kept. */
export function* heatmapHtml(of: HeatmapOf): Generator<string> {
  const passages = passagesOf(of.heatmap);
  const shadeOf = shadeScale(passages);
  const layerHeads = of.heatmap.layers * of.heatmap.heads;
  yield headOf(of);
  let documentId: string | null = null;
  for (const passage of passages) {
    if (passage.documentId !== documentId || passage.kind === "question") {
      const name = of.documents.find(({ id }) => id === passage.documentId)?.name;
      yield `<h2><bdi>${escaped(name ?? "The question")}</bdi></h2>\n`;
      documentId = passage.documentId;
    }
    const title = passage.page === null ? "" : `<h3>Page ${passage.page}</h3>`;
    const label = passage.page === null ? "The question" : `Text of page ${passage.page}`;
    yield `<section>${title}<div class="text" dir="auto" tabindex="0" role="group" aria-label="${label}">`;
    yield shaded(passage, shadeOf, layerHeads);
    yield "</div></section>\n";
  }
  yield "</main>\n";
  yield `<p id="about" role="status">Point at the text, or reach a page with Tab and go through it with the arrow keys: each token tells of itself here.</p>\n`;
  const scored = of.heatmap.scores.some((score) => score > 0);
  // Numbers alone: no text of the documents can end the element.
  yield `<script type="application/json" id="data">${JSON.stringify({ layerHeads, scored, parts: passages.map(dataOf) })}</script>\n`;
  yield `<script>${pageScript}</script>\n</body>\n</html>\n`;
}

/** A passage's text in as few elements as there are changes of shade or mark. */
function shaded({ text, cells }: Passage, shadeOf: ShadeOf, layerHeads: number): string {
  const pieces: string[] = [];
  const put = (from: number, to: number, name: string) => {
    const content = escaped(text.slice(from, to));
    pieces.push(name === "" ? content : `<span class="${name}">${content}</span>`);
  };
  let from = 0;
  let name = "";
  for (const cell of cells) {
    const shade = shadeOf(cell.score);
    const level = keptLevel(cell.kept, layerHeads);
    const own = [...(shade > 0 ? [`s${shade}`] : []), ...(level > 0 ? [`k${level}`] : [])].join(" ");
    if (own === name) continue;
    if (cell.start > from) put(from, cell.start, name);
    from = cell.start;
    name = own;
  }
  if (text.length > from) put(from, text.length, name);
  return pieces.join("");
}

function dataOf({ kind, text, cells }: Passage) {
  return {
    page: kind === "page",
    end: text.length,
    starts: cells.map((cell) => cell.start),
    tokens: cells.map((cell) => cell.token),
    scores: cells.map((cell) => significant(cell.score)),
    kept: cells.map((cell) => cell.kept),
  };
}

function headOf({ heatmap, question }: HeatmapOf): string {
  const { model, policy, promptTokens, keptTokens, layers, heads } = heatmap;
  const count = (tokens: number) => tokens.toLocaleString("en");
  const scored = heatmap.scores.some((score) => score > 0);
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const summary = `Read ${count(promptTokens)} tokens with ${model} and kept ${count(keptTokens)} in each of ${layers} × ${heads} layers and heads (policy ${policy}).`;
  const shades = shadeShares.map((share, index) => `<li><span class="s${index + 1}">top ${percent(share)}</span></li>`).join("");
  const marks = keptShares
    .map(
      (share, index) =>
        `<li><span class="k${index + 1}">kept in ${percent(share)} of the heads${index === keptShares.length - 1 ? " or more" : ""}</span></li>`,
    )
    .join("");
  const scale = scored
    ? `Shade: the tokens of the documents with the highest scores, by rank. A score is the attention that ${policy === "lookahead" ? "the foreseen answer" : "the prompt’s last tokens"} paid to a token, the mean over layers and heads.`
    : "This policy has no scores, so nothing is shaded; underlines show what is kept.";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Heatmap: ${escaped(question.slice(0, 200))}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>What is kept for “<bdi>${escaped(question)}</bdi>”</h1>
<p>${escaped(summary)}</p>
<p class="quiet">${scale}</p>
${scored ? `<ul class="legend">${shades}</ul>\n` : ""}<ul class="legend">${marks}</ul>
<fieldset class="choices" aria-label="What is shown"><label><input type="checkbox" id="shades" checked>Shades</label><label><input type="checkbox" id="marks" checked>Underlines</label></fieldset>
</header>
<main>
`;
}
