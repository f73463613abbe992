import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answerFiguresSchema, type Turn } from "../../electron/contract/conversation.ts";
import type { Settings } from "../../electron/contract/shell.ts";
import { openHistory } from "../../electron/engine/conversation/history.ts";
import { madePdf } from "./madePdf.ts";
import { proseOf } from "./prose.ts";

/** What a person is to have before them when the app starts. */
export type DeskOptions = {
  /** The app's data, an empty folder. */
  readonly folder: string;
  /** Of the document, some 1,100 tokens each. */
  readonly pages: number;
  /** A question and its answer are two. */
  readonly messages: number;
  readonly contextLength: number;
};

/** Tokens kept per layer and KV head, as the slider stands at first. */
const budget = 256;

/** Writes an app's data: a conversation of many messages about a long document, to be opened at the start. @returns the document's path */
export async function writeDesk({ folder, pages, messages, contextLength }: DeskOptions): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "handbook.pdf");
  const bytes = await madePdf(pages);
  await writeFile(path, bytes);
  const documentId = createHash("sha256").update(bytes).digest("hex");
  const history = openHistory(join(folder, "longsight.db"));
  const conversation = "11111111-1111-4111-8111-111111111111";
  try {
    history.rememberDocument({
      id: documentId,
      name: "handbook.pdf",
      path,
      kind: "pdf",
      bytes: bytes.byteLength,
      locked: false,
      pages,
      title: null,
      openedAt: Date.now(),
    });
    history.createConversation(conversation, [{ documentId, pages: null }], Date.now());
    for (let number = 0; number < messages / 2; number++) {
      const turn = madeTurn(number, documentId);
      history.addTurn(conversation, turn, null);
      history.finishTurn(turn, turn.createdAt);
    }
  } finally {
    history.close();
  }
  await writeSettings(folder, { contextLength, budget, policy: "lookahead", lastConversation: conversation });
  return path;
}

/** Puts settings where the app reads them at its start. */
export async function writeSettings(folder: string, settings: Partial<Settings>): Promise<void> {
  await mkdir(folder, { recursive: true });
  // The larger the context, the less a cache of 8 bits takes of the machine; what is measured does not read it.
  await writeFile(join(folder, "settings.json"), JSON.stringify({ tourSeen: true, kvType: "q8_0", ...settings }));
}

/** What answers have in them, in turn. */
const bodies = [
  (number: number) => proseOf(number * 5, 2),
  (number: number) =>
    `The steps are:\n\n1. Close the **supply** of pump ${number}.\n2. Wait *${2 + (number % 9)}* minutes.\n3. Note \`p${number}\` in the log.`,
  (number: number) => `| part | days | limit |\n| --- | ---: | ---: |\n| pump | ${3 + number} | 40 |\n| valve | ${5 + number} | 57 |`,
  (number: number) => `It is read like this:\n\n\`\`\`\nread(${number})\nif value > 40: close()\n\`\`\``,
] as const;

function madeTurn(number: number, documentId: string): Turn {
  const body = bodies[number % bodies.length] ?? bodies[0];
  return {
    id: `turn-${number}`,
    question: `How often is part ${number + 1} checked, and what is done above its limit?`,
    answer: body(number),
    status: "done",
    problem: null,
    createdAt: Date.now(),
    figures: answerFiguresSchema.parse({
      answer: "",
      stopReason: "end",
      model: "SmolLM2-135M-Instruct",
      documentTokens: 30_000,
      promptTokens: 30_200,
      contextLength: 49_152,
      cachedTokens: 30_000,
      evaluatedTokens: 200,
      answerTokens: 80,
      policy: "lookahead",
      mode: "question",
      budget,
      keptTokens: budget,
      evidence: [1, 2, 3].map((page) => ({ documentId, page, start: 0, end: 90, text: proseOf(page, 1) })),
      evictions: 1,
      scoredRows: 32,
      kvType: "q8_0",
      seed: 1,
      fullCacheBytes: 700_000_000,
      keptCacheBytes: 12_000_000,
      peakRssBytes: 1_000_000_000,
      timings: { extractMs: 0, prefillMs: 900, scoringMs: 120, evictionMs: 30, firstTokenMs: 1100, decodeMs: 2000 },
      prefillTokensPerSecond: 220,
      decodeTokensPerSecond: 40,
    }),
  };
}
