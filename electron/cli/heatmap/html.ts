import { type Passage, passagesOf } from "../../contract/passages.ts";
import { lookNames, shadeScale } from "../../contract/shades.ts";
import { escapedHtml } from "../../engine/export/escape.ts";
import { pageHead } from "../../engine/export/pageHead.ts";
import { pageStyle } from "../../engine/export/pageStyle.ts";
import { shadedHtml } from "../../engine/export/shadedHtml.ts";
import { type HeatmapOf, significant } from "./json.ts";
import { pageScript } from "./pageScript.ts";
import { aboutOf, isScored, type LegendEntry, legendOf, scaleOf } from "./words.ts";

/** A heatmap as one HTML file that needs nothing else: the documents' text shaded by score, underlined where it is kept. */
export function* heatmapHtml(of: HeatmapOf): Generator<string> {
  const passages = passagesOf(of.heatmap);
  const shadeOf = shadeScale(passages);
  const layerHeads = of.heatmap.layers * of.heatmap.heads;
  yield headOf(of, passages);
  let documentId: string | null = null;
  for (const passage of passages) {
    if (passage.documentId !== documentId || passage.kind === "question") {
      const name = of.documents.find(({ id }) => id === passage.documentId)?.name;
      yield `<h2><bdi>${escapedHtml(name ?? "The question")}</bdi></h2>\n`;
      documentId = passage.documentId;
    }
    const title = passage.page === null ? "" : `<h3>Page ${passage.page}</h3>`;
    const label = passage.page === null ? "The question" : `Text of page ${passage.page}`;
    yield `<section>${title}<div class="text" dir="auto" tabindex="0" role="group" aria-label="${label}">`;
    yield shadedHtml(passage, shadeOf, layerHeads);
    yield "</div></section>\n";
  }
  yield "</main>\n";
  yield `<p id="about" role="status">Point at the text, or reach a page with Tab and go through it with the arrow keys: each token tells of itself here.</p>\n`;
  const scored = isScored(of.heatmap.scores);
  // Numbers alone: no text of the documents can end the element.
  yield `<script type="application/json" id="data">${JSON.stringify({ layerHeads, scored, parts: passages.map(dataOf) })}</script>\n`;
  yield `<script>${pageScript}</script>\n</body>\n</html>\n`;
}

function dataOf({ kind, text, cells }: Passage) {
  return {
    page: kind === "page",
    end: text.length,
    starts: cells.map((cell) => cell.start),
    tokens: cells.map((cell) => cell.token),
    scores: cells.map((cell) => significant(cell.score)),
    kept: cells.map((cell) => cell.kept),
    /** Places in these lists. */
    always: cells.flatMap((cell, index) => (cell.always ? [index] : [])),
  };
}

function headOf(of: HeatmapOf, passages: readonly Passage[]): string {
  const { question, heatmap } = of;
  const entries = legendOf(of);
  const list = (shown: readonly LegendEntry[]) =>
    shown.length === 0
      ? ""
      : `<ul class="legend">${shown.map((entry) => `<li><span class="${lookNames(entry)}">${entry.words}</span></li>`).join("")}</ul>\n`;
  const tick = (id: string, label: string) => `<label><input type="checkbox" id="${id}" checked>${label}</label>`;
  return `${pageHead({ title: `Heatmap: ${question.slice(0, 200)}`, style: pageStyle, script: pageScript })}<body>
<header>
<h1>What would be kept for “<bdi>${escapedHtml(question)}</bdi>”</h1>
<p>${escapedHtml(aboutOf(of).join(" "))}</p>
<p class="quiet">${escapedHtml(scaleOf(of, passages))}</p>
${list(entries.filter(({ level }) => level === 0))}${list(entries.filter(({ level }) => level > 0))}<fieldset class="choices" aria-label="What is shown">${isScored(heatmap.scores) ? tick("shades", "Shades") : ""}${tick("marks", "Underlines")}</fieldset>
</header>
<main>
`;
}
