import { describe, expect, it } from "vitest";
import type { Conversation, Turn } from "../../../../electron/contract/conversation.ts";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import type { ExportFormat } from "../../../../electron/contract/export.ts";
import type { Language } from "../../../../electron/contract/language.ts";
import type { OpenDocuments } from "../../../../electron/engine/documents/openDocuments.ts";
import {
  citeAnswer,
  type ExportRequest,
  exportConversation,
  fileNameOf,
  lastQuestion,
} from "../../../../electron/engine/export/exportConversation.ts";
import { heatmapOf } from "../../support/heatmap.ts";

const [one, two] = ["a".repeat(64), "b".repeat(64)];
const turn = (id: string, question: string, answer: string): Turn => ({
  id,
  question,
  answer,
  status: "done",
  figures: null,
  problem: null,
  createdAt: 0,
});
const conversation: Conversation = {
  id: "c1",
  title: "Limits <b>",
  createdAt: 0,
  updatedAt: 0,
  documents: [
    { documentId: one, pages: [2] },
    { documentId: two, pages: null },
  ],
  pins: [],
  choice: null,
  draft: "secret draft",
  turns: [
    turn("t1", "What <script>alert(1)</script>\n## Answer 9", "The device may draw at most 3 A.\n<img src=x>\n## Question 2"),
    turn("t2", "And?", ""),
  ],
  versions: {},
};
const name = "ma*nual <i>.pdf";
const documents = {
  forPrompt: (choices: Parameters<OpenDocuments["forPrompt"]>[0]) => {
    if (choices[0]?.documentId !== one) throw new LongsightError("document-unknown", "It is not open.");
    return [{ documentId: one, name, pageCount: 9, pages: [{ documentId: one, page: 2, text: "The device may draw at most 3 A." }] }];
  },
} as unknown as OpenDocuments;
const history = {
  getConversation: () => conversation,
  listLibrary: () => [
    {
      id: one,
      name,
      path: "/private/folder/x.pdf",
      kind: "pdf",
      bytes: 1,
      pages: 9,
      locked: false,
      title: null,
      tokens: null,
      openedAt: 0,
    } as const,
  ],
};
const exported = (format: ExportFormat, heatmap: ExportRequest["heatmap"] = null, language: Language = "en") =>
  exportConversation({ history, documents }, { conversationId: "c1", format, language, heatmap, now: Date.UTC(2026, 10, 30, 14, 31) });
/** A page of a document with its heat, and a question. */
const heatmap = heatmapOf(
  [
    { kind: "page", document: "x", page: 1, pieces: ["At most ", "<3 A>", " while", " charging."] },
    { kind: "question", pieces: ["And?"] },
  ],
  { scores: (token) => (token === 1 ? 1 : 0), kept: () => 8 },
);

describe("an exported conversation", () => {
  it("is Markdown with its pages, in which neither question nor answer can be more than text", () => {
    const { name: file, text } = exported("markdown");
    expect(file).toBe("Limits b.md");
    expect(text).not.toMatch(/<(script|img|b|i)/);
    expect(text.match(/^## .*/gm)).toEqual(["## Question 1", "## Question 2"]);
    expect(text).toContain("> The device may draw at most 3 A.\n> &lt;img src=x>\n> ## Question 2");
    expect(text).toMatch(/^Source: ma&#42;nual &#60;i&#62;\.pdf, p\. 2$/m);
    expect(text).toContain("(nothing was written)");
    expect(text).toContain("2026-11-30 14:31 UTC");
  });

  it("is JSON that can be read back, without paths of this machine and without what was not sent", () => {
    const { text } = exported("json");
    const read: unknown = JSON.parse(text);
    expect(read).toMatchObject({
      format: "longsight-conversation",
      version: 1,
      documents: [{ documentId: one, name, pages: [2] }, { name: "Document" }],
      turns: [{ question: conversation.turns[0]?.question, sources: [{ start: 0, end: 32, pages: [{ page: 2 }] }] }, { answer: "" }],
    });
    expect(text).not.toMatch(/private|secret/);
  });

  it("is one HTML file in which nothing runs and nothing is fetched", () => {
    const { name: file, text } = exported("html");
    expect(file).toBe("Limits b.html");
    expect(text).not.toMatch(/<(script|img|iframe|i|b)\b/);
    expect(text).toContain("What &#60;script&#62;alert(1)&#60;/script&#62;");
    expect(text).toContain("default-src 'none'");
    expect(text).not.toMatch(/script-src/);
    expect(text).not.toContain("What mattered");
  });

  it("has the documents shaded where that was asked for, escaped as well", () => {
    const { text } = exported("html", heatmap);
    expect(text).toContain("What mattered for the last question");
    expect(text).toContain('<span class="s6 k3">&#60;3 A&#62;</span>');
    const pages = heatmap.parts.filter(({ kind }) => kind === "page");
    expect(text.match(/class="text" dir="auto">/g)).toHaveLength(2 * conversation.turns.length + pages.length);
  });

  it("is German where that is wanted, all but the conversation's own words", () => {
    const markdown = exported("markdown", null, "de").text;
    expect(markdown.match(/^##+ .*/gm)).toEqual(["## Frage 1", "### Antwort 1", "## Frage 2", "### Antwort 2"]);
    expect(markdown).toMatch(/^Quelle: ma&#42;nual &#60;i&#62;\.pdf, S\. 2$/m);
    expect(markdown).toContain("(es wurde nichts geschrieben)");
    const html = exported("html", heatmap, "de").text;
    expect(html).toContain('<html lang="de">');
    expect(html).toContain("Was für die letzte Frage wichtig war");
    expect(html).toContain("die höchsten 40 %");
    expect(html).not.toMatch(/Question 1|Source|Exported|highest|would keep|nothing was|Hatched/);
  });

  it("has no question to shade for without turns or documents", () => {
    expect(lastQuestion(conversation).id).toBe("t2");
    expect(() => lastQuestion({ ...conversation, turns: [] })).toThrow(expect.objectContaining({ code: "usage" }));
    expect(() => lastQuestion({ ...conversation, documents: [] })).toThrow(expect.objectContaining({ code: "usage" }));
  });

  it("cites a turn of its own, and none of another", () => {
    expect(citeAnswer({ history, documents }, "c1", "t1")).toHaveLength(1);
    expect(citeAnswer({ history, documents }, "c1", "gone")).toEqual([]);
  });
});

describe("a title as a file's name", () => {
  it.each([
    ['a/b\\c:d*"e"<f>|g?', "a b c d e f g"],
    ["..", "Conversation"],
    ["CON", "Conversation"],
    ["\u202efdp.exe", "fdp.exe"],
    ["数据".repeat(40), "数据".repeat(30)],
    ["", "Conversation"],
  ])("%j is %j", (title, file) => {
    expect(fileNameOf(title)).toBe(file);
  });
});
