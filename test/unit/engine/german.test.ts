import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Turn } from "../../../electron/contract/conversation.ts";
import { documentSummarySchema } from "../../../electron/contract/document.ts";
import { toProblem } from "../../../electron/contract/errors.ts";
import { fill } from "../../../electron/contract/messages/fill.ts";
import { german } from "../../../electron/contract/messages/german.ts";
import { type Message, messagesOf, say } from "../../../electron/contract/said.ts";
import { openHistory } from "../../../electron/engine/conversation/history.ts";
import { createDocumentReader } from "../../../electron/engine/documents/documents.ts";
import { summarise } from "../../../electron/engine/documents/openDocuments.ts";
import { protectedTokens } from "../../../electron/engine/lookahead/protect.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-german-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const inGerman = ({ said }: Message): string | null => (said === undefined ? null : fill(german, "de", said));

// Text needs no worker.
const open = async (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  await writeFile(path, content);
  return createDocumentReader({ workerPath: join(folder, "none.cjs") }).open({ path });
};

it("says in German what is wrong with a file, and what else it is", async () => {
  const problemOf = (name: string, content: string) => open(name, content).then(() => null, toProblem);
  const empty = await problemOf("leer.txt", "");
  expect(empty?.message).toBe("“leer.txt” is empty (0 bytes). Get a fresh copy of the file.");
  expect(empty && inGerman(empty)).toBe("„leer.txt“ ist leer (0 Bytes). Besorgen Sie sich die Datei noch einmal.");
  const model = await problemOf("model.pdf", "GGUF and more");
  expect(model?.message).toBe("“model.pdf” is named like a PDF but holds a model file. Choose it as the model instead.");
  expect(model && inGerman(model)).toBe(
    "„model.pdf“ heißt wie ein PDF, ist aber eine Modelldatei. Wählen Sie die Datei stattdessen als Modell.",
  );
});

it("tells in German what is to be known of a document", async () => {
  const document = await open("alt.txt", Buffer.from("Gr\u00fc\u00dfe", "latin1"));
  const [notice] = messagesOf(documentSummarySchema.parse(structuredClone(summarise(document, null))));
  expect(notice?.message).toContain("not in UTF-8");
  expect(notice && inGerman(notice)).toContain("Dieser Text ist nicht in UTF-8.");
});

it("lists in German what is always kept", () => {
  const problem = () => protectedTokens({ promptTokens: 100, tailStart: 90, pinned: [{ start: 20, end: 30 }], budget: 16 });
  let thrown: unknown;
  try {
    problem();
  } catch (error) {
    thrown = error;
  }
  expect(inGerman(toProblem(thrown))).toContain("(die ersten 4, die letzten 10 des Prompts und 10 in angehefteten Stellen)");
});

it("keeps the name of what went wrong with the turn, and reads a turn of before there were names", () => {
  const file = join(folder, "longsight.db");
  const problem = { code: "model-memory", ...say("noMemoryToScore") } as const;
  const turn: Turn = { id: "t1", question: "?", answer: "", status: "failed", figures: null, problem, createdAt: 1 };
  const history = openHistory(file);
  history.createConversation("c1", [], 1);
  history.addTurn("c1", { ...turn, status: "writing", problem: null }, null);
  history.finishTurn(turn, 2);
  expect(history.getConversation("c1").turns[0]?.problem).toEqual(problem);
  const before = { code: "model-memory", message: "There is not enough memory." };
  const database = new Database(file);
  database.prepare("UPDATE turns SET problem = ?").run(JSON.stringify(before));
  database.close();
  expect(history.getConversation("c1").turns[0]?.problem).toEqual(before);
  history.close();
});
