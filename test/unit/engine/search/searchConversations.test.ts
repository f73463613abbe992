import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Turn } from "../../../../electron/contract/conversation.ts";
import { type History, openHistory } from "../../../../electron/engine/conversation/history.ts";
import { searchConversations } from "../../../../electron/engine/search/searchConversations.ts";

let folder = "";
let history: History;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "longsight search "));
  history = openHistory(join(folder, "longsight.db"));
});
afterEach(() => {
  history.close();
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;
function asked(conversation: string, question: string, answer: string, replaced: string | null = null, status: Turn["status"] = "done") {
  count += 1;
  const turn: Turn = { id: `t${count}`, question, answer: "", status: "writing", figures: null, problem: null, createdAt: count };
  history.addTurn(conversation, turn, replaced);
  if (status === "writing") history.updateAnswer(turn.id, answer);
  else history.finishTurn({ ...turn, answer, status }, count);
  return turn.id;
}

const found = (text: string) => searchConversations(history, text).hits.map(({ turnId, part }) => [turnId, part]);

describe("a search in the conversations", () => {
  it("finds words within words in questions, answers and titles, the latest first", () => {
    history.createConversation("c1", [], 1);
    const first = asked("c1", "What limits apply?", "At most 3 A while charging; see the *Größentabelle*.");
    const second = asked("c1", "And for 数据线?", "Five amperes.");
    history.createConversation("c2", [], 2);
    history.rename("c2", "Charging the battery", 3);
    expect(found("charg")).toEqual([
      [null, "title"],
      [first, "answer"],
    ]);
    expect(found("GROSSENTAB")).toEqual([]);
    expect(found("größentab 3")).toEqual([[first, "answer"]]);
    expect(found("grossentab")).toEqual([]);
    expect(found("数据")).toEqual([[second, "question"]]);
    expect(found("amperes five")).toEqual([[second, "answer"]]);
    // One word in the question, the other in the answer.
    expect(found("limits charging")).toEqual([[first, "question"]]);
    expect(found("nowhere")).toEqual([]);
  });

  it.each([
    "русский язык",
    "Какой сейчас год?",
    "ёлка",
    "Да",
    "Das Öl ist alt",
    "Ελληνική γλώσσα",
    "질문이 있습니다",
    "한국",
    "デジタル",
    "हिन्दी भाषा",
    "תורה",
    "oﬃce №5",
  ])("finds each word of “%s” as it is written", (text) => {
    history.createConversation("c1", [], 1);
    history.rename("c1", "Something else", 2);
    const id = asked("c1", text, "z");
    for (const word of text.split(" ")) expect(found(word), word).toEqual([[id, "question"]]);
  });

  it("takes what is typed as words, whatever it means elsewhere", () => {
    history.createConversation("c1", [], 1);
    const id = asked("c1", 'What is "100%_safe" AND a* OR (b)?', "Nothing NEAR that.");
    for (const text of ['"100%', "%_", "AND a*", "(b)?", '"']) expect(found(text)).toEqual([[id, "question"]]);
    expect(found("near")).toEqual([[id, "answer"]]);
    for (const text of ["'; DROP TABLE turns; --", "question:what", "100_", "\0"]) expect(found(text)).toEqual([]);
  });

  it("finds earlier versions, but not what is being written or was deleted", () => {
    history.createConversation("c1", [], 1);
    const first = asked("c1", "First wording", "An answer about tides.");
    const second = asked("c1", "Second wording", "An answer about tides.", first);
    expect(found("tides")).toEqual([
      [second, "answer"],
      [first, "answer"],
    ]);
    asked("c1", "Third", "More about tides", null, "writing");
    expect(found("tides")).toHaveLength(2);
    history.deleteConversation("c1", 9);
    expect(found("tides")).toEqual([]);
    history.restoreConversation("c1");
    expect(found("tides")).toHaveLength(2);
  });

  it("finds what an answer came to after it had ended once, and nothing of what it was", () => {
    history.createConversation("c1", [], 1);
    const id = asked("c1", "Why?", "Because of the granite.");
    const [turn] = history.getConversation("c1").turns;
    if (turn === undefined) throw new Error("no turn");
    history.finishTurn({ ...turn, answer: "Because of the basalt." }, 5);
    expect(found("granite")).toEqual([]);
    expect(found("basalt")).toEqual([[id, "answer"]]);
  });

  it("says that there is more than it lists", () => {
    history.createConversation("c1", [], 1);
    for (let turn = 0; turn < 103; turn += 1) asked("c1", `Number ${turn}`, "lighthouse");
    const { hits, more } = searchConversations(history, "lighthouse");
    expect([hits.length, more]).toEqual([100, true]);
  });

  it("makes its index anew where that is damaged", () => {
    history.createConversation("c1", [], 1);
    const first = asked("c1", "Before", "The old lighthouse.");
    const other = new Database(join(folder, "longsight.db"));
    other.exec("UPDATE turn_words_data SET block = x'00' WHERE id > 10");
    other.close();
    expect(found("old lighthouse")).toEqual([[first, "answer"]]);
    const second = asked("c1", "After", "The new lighthouse.");
    expect(found("lighthouse")).toEqual([
      [second, "answer"],
      [first, "answer"],
    ]);
  });
});
