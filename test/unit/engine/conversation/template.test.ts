import { describe, expect, it } from "vitest";
import { chatOf, type LaidOutPiece, layOut, plainTranscript, type Render } from "../../../../electron/engine/conversation/template.ts";

type Roles = Parameters<typeof layOut>[0];

/** A template in the manner of ChatML. */
const chatml: Render = (messages) =>
  `${messages.map(({ role, content }) => `<|im_start|>${role}\n${content.trim()}<|im_end|>\n`).join("")}<|im_start|>assistant\n`;

/** A template that knows no system role, as Gemma's: it refuses one. */
const refusing: Render = (messages) => {
  if (messages.some(({ role }) => role === "system")) throw new Error("System role not supported");
  return `<bos>${messages.map(({ role, content }) => `<start_of_turn>${role === "assistant" ? "model" : role}\n${content}<end_of_turn>\n`).join("")}<start_of_turn>model\n`;
};

/** A template that passes over a system message without a word. */
const dropping: Render = (messages) => refusing(messages.filter(({ role }) => role !== "system"));

/** Puts texts in the places of messages. */
function fill(pieces: readonly LaidOutPiece[], texts: readonly string[]): string {
  return pieces.map((piece) => (piece.kind === "template" ? piece.text : (texts[piece.message] ?? "?"))).join("");
}

const conversation: Roles = ["system", "user", "assistant", "user"];
const texts = ["Rules.", "Hello?", "Hi.", "Why?"];

describe("layOut", () => {
  it("gives what the template would, with the messages cut out", () => {
    const pieces = layOut(conversation, chatml);
    expect(pieces.filter((piece) => piece.kind === "content").map((piece) => piece.message)).toEqual([0, 1, 2, 3]);
    expect(fill(pieces, texts)).toBe(chatml(conversation.map((role, index) => ({ role, content: texts[index] ?? "" }))));
  });

  it("keeps more than ten messages apart", () => {
    const roles: Roles = Array.from({ length: 25 }, (_, index) => (index === 0 ? "system" : index % 2 === 1 ? "user" : "assistant"));
    const pieces = layOut(roles, chatml);
    expect(pieces.filter((piece) => piece.kind === "content").map((piece) => piece.message)).toEqual(roles.map((_, index) => index));
  });

  it.each([
    ["refuses", refusing],
    ["drops", dropping],
  ])("sets the system text before the first question where a template %s it, and loses nothing of a longer conversation", (_, render) => {
    expect(fill(layOut(conversation, render), texts)).toBe(
      "<bos><start_of_turn>user\nRules.\n\nHello?<end_of_turn>\n<start_of_turn>model\nHi.<end_of_turn>\n<start_of_turn>user\nWhy?<end_of_turn>\n<start_of_turn>model\n",
    );
  });

  it("does not let a message disappear", () => {
    const lastOnly: Render = (messages) => chatml(messages.slice(-1));
    expect(() => layOut(["user", "assistant", "user"], lastOnly)).toThrow(/template/);
    expect(() => layOut(conversation, lastOnly)).toThrow(/template/);
    const withoutAnswers: Render = (messages) => chatml(messages.filter(({ role }) => role !== "assistant"));
    expect(() => layOut(conversation, withoutAnswers)).toThrow(/template/);
  });

  it("does not take messages in another order than they were said", () => {
    const reversed: Render = (messages) => chatml([...messages].reverse());
    expect(() => layOut(["user", "assistant", "user"], reversed)).toThrow(/template/);
  });

  it("leaves no mark in the text where a template writes a message twice", () => {
    const twice: Render = (messages) => `${chatml(messages)}(${messages.at(-1)?.content})`;
    const pieces = layOut(conversation, twice);
    for (const piece of pieces) if (piece.kind === "template") expect(piece.text).not.toMatch(/[\uE000-\uF8FF]/);
    expect(fill(pieces, texts)).toBe(twice(conversation.map((role, index) => ({ role, content: texts[index] ?? "" }))));
  });

  it("says in a sentence that a template does not work, and what it said", () => {
    const broken: Render = () => {
      throw new Error("unknown filter at row 3");
    };
    for (const roles of [conversation, ["user"] satisfies Roles]) {
      expect(() => layOut(roles, broken)).toThrow(
        expect.objectContaining({
          code: "model-unsupported",
          message: expect.stringContaining("chat template"),
          detail: "unknown filter at row 3",
        }),
      );
    }
  });
});

describe("plainTranscript", () => {
  it("is what a base model goes on with", () => {
    expect(plainTranscript(conversation.map((role, index) => ({ role, content: texts[index] ?? "" })))).toBe(
      "Rules.\n\nUser: Hello?\n\nAnswer: Hi.\n\nUser: Why?\n\nAnswer:",
    );
  });
});

describe("chatOf", () => {
  const model = (chatTemplate: string | null) => ({
    header: { chatTemplate },
    renderTemplate: (template: string) => `rendered by ${template}`,
  });

  it("speaks by the template of the model's file", () => {
    const { render, stops } = chatOf(model("its template"));
    expect([render([]), stops]).toEqual(["rendered by its template", []]);
  });

  it("writes a transcript where there is none, and ends where the next turn would begin", () => {
    const { render, stops } = chatOf(model(null));
    expect(render([{ role: "user", content: "Why?" }])).toBe("User: Why?\n\nAnswer:");
    expect(stops).toContain("\n\nUser:");
  });
});
