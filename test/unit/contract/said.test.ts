import { describe, expect, it, test } from "vitest";
import { documentSummarySchema } from "../../../electron/contract/document.ts";
import { engineEventSchema } from "../../../electron/contract/engine.ts";
import { LongsightError, problemSchema, toProblem } from "../../../electron/contract/errors.ts";
import { english } from "../../../electron/contract/messages/english.ts";
import { fill, type Said, type Texts } from "../../../electron/contract/messages/fill.ts";
import { german } from "../../../electron/contract/messages/german.ts";
import { messageSchema, messagesOf, noticesOf, say } from "../../../electron/contract/said.ts";
import { readSources } from "../../../scripts/sources.mjs";

const inGerman = ({ said, message }: { message: string; said?: Said | undefined }) =>
  (said === undefined ? null : fill(german, "de", said)) ?? message;

const placesOf = (text: string): string[] => Array.from(text.matchAll(/\{\{.*?\}\}/g), ([place]) => place).sort();

describe("the tables of messages", () => {
  const [englishTexts, germanTexts]: readonly Texts[] = [english, german];
  const names = Object.keys(english);

  test("have the same names and places, and no text is empty", () => {
    expect(Object.keys(german)).toEqual(names);
    for (const name of names) {
      expect([name, placesOf(germanTexts?.[name] ?? "")]).toEqual([name, placesOf(englishTexts?.[name] ?? "")]);
      expect([name, germanTexts?.[name]?.trim()]).not.toEqual([name, ""]);
    }
  });

  test("are translated, in German quotes", () => {
    const hasWords = (text = "") => /\p{L}/u.test(text.replace(/\{\{.*?\}\}/g, ""));
    expect(names.filter((name) => germanTexts?.[name] === englishTexts?.[name] && hasWords(germanTexts?.[name]))).toEqual([]);
    expect(names.filter((name) => /["”]|“(?=\{)/.test(germanTexts?.[name] ?? ""))).toEqual([]);
    expect(
      names.filter((name) => (germanTexts?.[name]?.match(/„/g) ?? []).length !== (germanTexts?.[name]?.match(/“/g) ?? []).length),
    ).toEqual([]);
  });

  test("hold plural forms in pairs, and places of known formats", () => {
    const forms = (form: string) => names.filter((name) => name.endsWith(form)).map((name) => name.slice(0, -form.length));
    expect(forms("_one")).toEqual(forms("_other"));
    const formats = new Set(
      names.flatMap((name) => placesOf(englishTexts?.[name] ?? "").map((place) => /, (.*)\}\}/.exec(place)?.[1] ?? "")),
    );
    expect([...formats].filter((format) => !["", "number", "oneDigit", "list", "commas", "quoted"].includes(format))).toEqual([]);
  });

  test("are used, each of them", async () => {
    const sources = await readSources(["electron", "renderer"]);
    const said = sources.filter(({ file }) => !file.startsWith("electron/contract/messages/")).map(({ text }) => text);
    const isUsed = (name: string) => {
      const own = name.replace(/_(one|other)$/, "");
      const family = /^(policy|mode|share|answer)-/.exec(own)?.[0];
      return said.some((text) => text.includes(`"${own}"`) || (family !== undefined && text.includes(`\`${family}\${`)));
    };
    expect(names.filter((name) => !isUsed(name))).toEqual([]);
  });
});

describe("a message", () => {
  it("is an English sentence, and the same by name for other languages", () => {
    const message = say("documentMissing", { file: "Übersicht.pdf" });
    expect(message.message).toBe("“Übersicht.pdf” was not found. It may have been moved, renamed or deleted.");
    expect(inGerman(message)).toBe("„Übersicht.pdf“ wurde nicht gefunden. Die Datei wurde vielleicht verschoben, umbenannt oder gelöscht.");
  });

  it("counts, and holds others with their lists, in the words of each language", () => {
    const pages = say("pageNumbers", { pages: [2, 3, 5] });
    const message = say("noTextOnPages", { pages, what: say("pagesAreEmpty"), advice: say("canBeRecognised") });
    expect(message.message).toBe("No text on pages 2, 3 and 5: they are empty or pictures. Its text can be recognised.");
    expect(inGerman(message)).toBe("Kein Text auf den Seiten 2, 3 und 5: Sie sind leer oder Bilder. Der Text lässt sich erkennen.");
    const beyond = (count: number) => say("pageBeyondEnd", { file: "a", count, page: 2000 });
    expect([beyond(1), beyond(1024)].map(({ message: sentence }) => sentence)).toEqual([
      "“a” has 1 page; page 2000 was asked for.",
      "“a” has 1,024 pages; page 2000 was asked for.",
    ]);
    expect(inGerman(beyond(1024))).toBe("„a“ hat 1.024 Seiten; verlangt wurde Seite 2000.");
  });

  it("takes a value as it is, whatever it looks like", () => {
    const file = "{{file}} $& $t(stopped) {{page, number}}";
    expect(inGerman(say("documentEmpty", { file }))).toContain(`„${file}“`);
  });

  it("stays in English where it is not known by name, or was made with other values", () => {
    const message = "From a newer version.";
    for (const said of [
      { name: "inventedLater", values: {} },
      { name: "toString", values: {} },
      { name: "documentMissing", values: {} },
      { name: "documentMissing", values: { file: ["a"] } },
      { name: "pageNumbers", values: { pages: [] } },
      { name: "pageBeyondEnd", values: { file: "a", count: "many", page: 1 } },
      { name: "noTextOnPages", values: { pages: { name: "inventedLater", values: {} }, what: "", advice: "" } },
    ])
      expect(inGerman({ message, said })).toBe(message);
  });
});

describe("what crosses a process", () => {
  const message = say("documentMissing", { file: "a.pdf" });

  it("is a problem with its message by name", () => {
    const problem = toProblem(new LongsightError("document-missing", message, "ENOENT"));
    expect(problem).toEqual({ code: "document-missing", ...message, detail: "ENOENT" });
    expect(problemSchema.parse(structuredClone(problem))).toEqual(problem);
    expect(toProblem(new LongsightError(problem.code, problem, problem.detail))).toEqual(problem);
    expect(inGerman(toProblem(new Error("x")))).toContain("schiefgegangen");
  });

  it("is a sentence alone where an earlier version wrote it, or where its name cannot be read", () => {
    const stored = { code: "storage", message: "The disk is full." };
    expect(problemSchema.parse(stored)).toEqual(stored);
    for (const said of [7, { name: "" }, { name: "stopped" }, { name: "stopped", values: { file: null } }])
      expect(problemSchema.parse({ ...stored, said }).said).toBeUndefined();
    expect(engineEventSchema.parse({ event: "notice", message: "Full." })).toEqual({ event: "notice", message: "Full." });
    expect(engineEventSchema.parse({ event: "notice", ...message })).toEqual({ event: "notice", ...message });
    expect(messageSchema.safeParse({ message: "", said: message.said }).success).toBe(false);
  });

  it("is a document's notices, in English and by name", () => {
    const notices = [message, { message: "Only a sentence." }];
    const crossed = noticesOf(notices);
    expect(crossed.notices).toEqual([message.message, "Only a sentence."]);
    const { notices: english, saidNotices } = documentSummarySchema
      .pick({ notices: true, saidNotices: true })
      .parse(structuredClone(crossed));
    expect(messagesOf({ notices: english, saidNotices })).toEqual(notices);
    expect(messagesOf({ notices: ["One."] })).toEqual([{ message: "One." }]);
  });
});
