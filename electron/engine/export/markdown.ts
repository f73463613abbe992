import { say } from "../../contract/said.ts";
import { plainMarkdown, quotedMarkdown, tamedMarkdown } from "./escape.ts";
import { type ExportOf, figuresLine, sourcesOf, timeOf, withPages } from "./exportOf.ts";

/** A conversation as Markdown. Questions and names are plain text; an answer keeps its looks and nothing that could do more. */
export function exportMarkdown({ words, title, documents, turns, now }: ExportOf): string {
  const line = (text: string) => plainMarkdown(text.replace(/\s+/g, " "));
  const about = documents.map(({ name, pages }) => `- ${withPages(words, line(name), pages)}`);
  const sections = turns.map(({ turn, citations }, index) =>
    [
      `## ${words(say("exportedQuestion", { place: index + 1 }))}`,
      quotedMarkdown(plainMarkdown(turn.question)),
      `### ${words(say("exportedAnswer", { place: index + 1 }))}`,
      // Quoted, so that no line of it can pass for one of ours.
      quotedMarkdown(tamedMarkdown(turn.answer === "" ? words(say("exportedNothing")) : turn.answer)),
      ...sourcesOf(words, citations).map((source) => words(say("exportedSource", { source: line(source) }))),
      `*${plainMarkdown(figuresLine(words, turn))}*`,
    ].join("\n\n"),
  );
  return `${[
    `# ${line(title)}`,
    ...(about.length === 0 ? [] : [about.join("\n")]),
    ...sections,
    words(say("exportedFrom", { time: timeOf(now) })),
  ].join("\n\n")}\n`;
}
