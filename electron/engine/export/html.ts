import type { Heatmap } from "../../contract/heatmap.ts";
import { passagesOf } from "../../contract/passages.ts";
import { say } from "../../contract/said.ts";
import { shadeScale, shadeShares } from "../../contract/shades.ts";
import { escapedHtml } from "./escape.ts";
import { type ExportOf, figuresLine, sourcesOf, timeOf, withPages } from "./exportOf.ts";
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
export function exportHtml(of: ExportOf): string {
  const { language, words, title, documents, turns, heatmap, now } = of;
  const list = documents.map(({ name, pages }) => `<li>${withPages(words, isolated(name), pages)}</li>`).join("");
  const sections = turns.map(({ turn, citations }, index) => {
    const sources = sourcesOf(words, citations).map(
      (source) => `<p class="quiet">${words(say("exportedSource", { source: isolated(source) }))}</p>`,
    );
    const question = words(say("exportedQuestion", { place: index + 1 }));
    const answer = turn.answer === "" ? words(say("exportedNothing")) : turn.answer;
    return `<article aria-label="${question}">
<section class="question"><h2>${question}</h2><div class="text" dir="auto">${escapedHtml(turn.question)}</div></section>
<section><h3>${words(say("exportedAnswerAlone"))}</h3><div class="text" dir="auto">${escapedHtml(answer)}</div>
${sources.join("\n")}<p class="quiet">${escapedHtml(figuresLine(words, turn))}</p></section>
</article>
`;
  });
  return `${pageHead({ language, title, style: conversationStyle })}<body>
<header>
<h1><bdi>${escapedHtml(title)}</bdi></h1>
${list === "" ? "" : `<ul>${list}</ul>\n`}<p class="quiet">${words(say("exportedFrom", { time: timeOf(now) }))}</p>
</header>
<main>
${sections.join("")}${heatmap === null ? "" : heatOf(heatmap, of)}</main>
</body>
</html>
`;
}

/** A name or a source as it may stand in a sentence of ours, whatever its direction. Those sentences have nothing that means more in HTML. */
const isolated = (text: string): string => `<bdi>${escapedHtml(text)}</bdi>`;

/** The documents' text, shaded. */
function heatOf(heatmap: Heatmap, { words, documents }: ExportOf): string {
  const names = new Map(documents.map(({ documentId, name }) => [documentId, name]));
  const passages = passagesOf(heatmap);
  const shadeOf = shadeScale(passages);
  const layerHeads = heatmap.layers * heatmap.heads;
  const shares = shadeShares.map(
    (share, index) => `<li><span class="s${index + 1}">${words(say("exportedHighest", { percent: Math.round(100 * share) }))}</span></li>`,
  );
  const scored = heatmap.scores.some((score) => score > 0);
  const pages = passages
    .filter(({ kind }) => kind === "page")
    .map((passage) => {
      const name = isolated(names.get(passage.documentId ?? "") ?? words(say("exportedDocument")));
      const heading = passage.page === null ? name : words(say("exportedPage", { name, page: passage.page }));
      return `<section><h3>${heading}</h3><div class="text" dir="auto">${shadedHtml(passage, shadeOf, layerHeads)}</div></section>\n`;
    });
  const sentence = say("exportedHeatOf", {
    tokens: heatmap.promptTokens,
    model: escapedHtml(heatmap.model),
    policy: say(`policy-${heatmap.policy}`),
    kept: Math.round(heatmap.keptTokens),
    shade: say(scored ? "exportedShade" : "exportedNoShade"),
  });
  return `<h2>${words(say("exportedHeat"))}</h2>
<p>${words(sentence)}</p>
${scored ? `<ul class="legend">${shares.join("")}</ul>\n` : ""}${pages.join("")}`;
}
