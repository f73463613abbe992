import type { Heatmap } from "../../contract/heatmap.ts";
import { passagesOf } from "../../contract/passages.ts";
import { shadeScale, shadeShares } from "../../contract/shades.ts";
import { escapedHtml } from "./escape.ts";
import { type ExportOf, figuresLine, sourcesOf, timeOf } from "./exportOf.ts";
import { pageHead } from "./pageHead.ts";
import { pageStyle } from "./pageStyle.ts";
import { shadedHtml } from "./shadedHtml.ts";

const conversationStyle = `${pageStyle}
.question { border-inline-start: 4px solid var(--mark); }
`;

/**
 * A conversation as one HTML file that needs nothing else, all of its text as it stands. With a heatmap the documents' text follows, shaded
 * by its importance for the last question and underlined where it would be kept.
 */
export function exportHtml({ title, documents, turns, heatmap, now }: ExportOf): string {
  const names = new Map(documents.map(({ documentId, name }) => [documentId, name]));
  const list = documents
    .map(({ name, pages }) => `<li><bdi>${escapedHtml(name)}</bdi>${pages === null ? "" : `, p. ${pages.join(", ")}`}</li>`)
    .join("");
  const sections = turns.map(({ turn, citations }, index) => {
    const sources = sourcesOf(citations).map((source) => `<p class="quiet">Source: <bdi>${escapedHtml(source)}</bdi></p>`);
    return `<article aria-label="Question ${index + 1}">
<section class="question"><h2>Question ${index + 1}</h2><div class="text" dir="auto">${escapedHtml(turn.question)}</div></section>
<section><h3>Answer</h3><div class="text" dir="auto">${escapedHtml(turn.answer === "" ? "(nothing was written)" : turn.answer)}</div>
${sources.join("\n")}<p class="quiet">${escapedHtml(figuresLine(turn))}</p></section>
</article>
`;
  });
  return `${pageHead({ title, style: conversationStyle })}<body>
<header>
<h1><bdi>${escapedHtml(title)}</bdi></h1>
${list === "" ? "" : `<ul>${list}</ul>\n`}<p class="quiet">Exported from Longsight, ${timeOf(now)} UTC. Sources are pages that share an answer’s words.</p>
</header>
<main>
${sections.join("")}${heatmap === null ? "" : heatOf(heatmap, names)}</main>
</body>
</html>
`;
}

/** The documents' text, shaded. */
function heatOf(heatmap: Heatmap, names: ReadonlyMap<string, string>): string {
  const passages = passagesOf(heatmap);
  const shadeOf = shadeScale(passages);
  const layerHeads = heatmap.layers * heatmap.heads;
  const count = (tokens: number) => tokens.toLocaleString("en");
  const shares = shadeShares.map((share, index) => `<li><span class="s${index + 1}">the highest ${Math.round(100 * share)} %</span></li>`);
  const scored = heatmap.scores.some((score) => score > 0);
  const pages = passages
    .filter(({ kind }) => kind === "page")
    .map((passage) => {
      const name = names.get(passage.documentId ?? "") ?? "Document";
      const heading = `<bdi>${escapedHtml(name)}</bdi>${passage.page === null ? "" : `, page ${passage.page}`}`;
      return `<section><h3>${heading}</h3><div class="text" dir="auto">${shadedHtml(passage, shadeOf, layerHeads)}</div></section>\n`;
    });
  return `<h2>What mattered for the last question</h2>
<p>Of ${count(heatmap.promptTokens)} tokens read with ${escapedHtml(heatmap.model)}, ${escapedHtml(heatmap.policy)} would keep ${count(Math.round(heatmap.keptTokens))} in each layer and head, asked without the turns before. ${scored ? "Shade: rank by attention among the documents’ tokens." : "This policy has no scores, so nothing is shaded."} Underlined: kept in a quarter of all layers and heads (dotted), half (thin), three quarters (thick). Hatched: kept whatever its score.</p>
${scored ? `<ul class="legend">${shares.join("")}</ul>\n` : ""}${pages.join("")}`;
}
