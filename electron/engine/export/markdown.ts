import { plainMarkdown, quotedMarkdown, tamedMarkdown } from "./escape.ts";
import { type ExportOf, figuresLine, sourcesOf, timeOf } from "./exportOf.ts";

/** A conversation as Markdown. Questions and names are plain text; an answer keeps its looks and nothing that could do more. */
export function exportMarkdown({ title, documents, turns, now }: ExportOf): string {
  const line = (text: string) => plainMarkdown(text.replace(/\s+/g, " "));
  const about = documents.map(({ name, pages }) => `- ${line(name)}${pages === null ? "" : `, p. ${pages.join(", ")}`}`);
  const sections = turns.map(({ turn, citations }, index) =>
    [
      `## Question ${index + 1}`,
      quotedMarkdown(plainMarkdown(turn.question)),
      `### Answer ${index + 1}`,
      // Quoted, so that no line of it can pass for one of ours.
      quotedMarkdown(tamedMarkdown(turn.answer === "" ? "(nothing was written)" : turn.answer)),
      ...sourcesOf(citations).map((source) => `Source: ${line(source)}`),
      `*${plainMarkdown(figuresLine(turn))}*`,
    ].join("\n\n"),
  );
  return `${[
    `# ${line(title)}`,
    ...(about.length === 0 ? [] : [about.join("\n")]),
    ...sections,
    `Exported from Longsight, ${timeOf(now)} UTC. Sources are pages that share an answer's words.`,
  ].join("\n\n")}\n`;
}
