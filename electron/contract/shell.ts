import { z } from "zod";
import { budgetSchema, cacheModeSchema, defaultSampling, idSchema, samplingSchema } from "./conversation.ts";
import { engineContract } from "./engine.ts";
import { problemSchema } from "./errors.ts";
import { exportFormatSchema } from "./export.ts";
import { languageSettingSchema } from "./language.ts";
import { gpuLayersSchema, kvTypeSchema } from "./model.ts";
import { choosingPolicySchema, shareSchema } from "./policies.ts";

export { engineCallMessage } from "./channels.ts";

/** A start loads a model with what was remembered, so nothing is that the engine would refuse. */
const loadable = engineContract.loadModel.request.shape;

/** Sizes of the interface's texts, in their order; pages have their zoom. */
export const textSizeSchema = z.enum(["normal", "large", "largest"]);
export type TextSize = z.infer<typeof textSizeSchema>;

/** What the app remembers between starts. Unknown or broken values fall back one by one. */
export const settingsSchema = z.object({
  theme: z.enum(["system", "light", "dark"]).catch("system"),
  language: languageSettingSchema.catch("system"),
  textSize: textSizeSchema.catch("normal"),
  /** Id or path of the model to load at start; null: the embedded one. */
  model: loadable.model.nullable().catch(null),
  contextLength: loadable.contextLength.catch(null),
  kvType: kvTypeSchema.catch("f16"),
  threads: loadable.threads.catch(null),
  gpuLayers: gpuLayersSchema.catch(null),
  sampling: samplingSchema.catch(defaultSampling),
  /** Tokens that an answer keeps per layer and KV head, and the rule that chooses them where not all are kept. */
  budget: budgetSchema.catch("full"),
  policy: choosingPolicySchema.catch("lookahead"),
  /** The model that drafts for a policy that needs one; null: none was chosen. */
  draftModel: loadable.model.nullable().catch(null),
  /** When it is chosen what is kept, and how several documents share the budget. */
  mode: cacheModeSchema.catch("question"),
  share: shareSchema.catch("score"),
  lastConversation: idSchema.nullable().catch(null),
  /** Whether the tour of the window was gone through or skipped. */
  tourSeen: z.boolean().catch(false),
  /** Widths of the panes in percent of the window: library, pages, conversation. */
  panes: z.tuple([z.number(), z.number(), z.number()]).catch([18, 50, 32]),
  window: z
    .object({ x: z.number().int(), y: z.number().int(), width: z.number().int(), height: z.number().int(), maximised: z.boolean() })
    .nullable()
    .catch(null),
});
export type Settings = z.infer<typeof settingsSchema>;

export const engineStateSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("starting") }),
  z.object({ state: z.literal("ready") }),
  /** It has not answered for a while; it may come back by itself (`ready` again), or `restartEngine` ends it and starts a new one. */
  z.object({ state: z.literal("unresponsive"), problem: problemSchema }),
  /** The process ended or could not start; `restartEngine` starts a new one. */
  z.object({ state: z.literal("stopped"), problem: problemSchema }),
]);
export type EngineState = z.infer<typeof engineStateSchema>;

/** Requests of the window to main, with their replies. */
export const shellContract = {
  /** The system's dialog for documents or a model; empty when dismissed. */
  chooseFiles: { request: z.object({ purpose: z.enum(["documents", "model"]) }), reply: z.array(z.string()) },
  getSettings: { request: z.object({}), reply: settingsSchema },
  changeSettings: { request: settingsSchema.partial(), reply: settingsSchema },
  getEngineState: { request: z.object({}), reply: engineStateSchema },
  restartEngine: { request: z.object({}), reply: engineStateSchema },
  /** Path of the sample document that comes with Longsight; null where it is missing. */
  sampleDocument: { request: z.object({}), reply: z.string().nullable() },
  /** The folder with conversations, settings, stored caches and logs: where it is, and the system's file manager opened on it. */
  dataFolder: { request: z.object({}), reply: z.string() },
  openDataFolder: { request: z.object({}), reply: z.object({}) },
  /** Tells by the system's notification what ended; only while the window is in the background. Plain text. */
  notify: {
    request: z.object({ title: z.string().min(1).max(200), body: z.string().max(500) }),
    reply: z.object({ shown: z.boolean() }),
  },
  /** Asks by the system's dialog where to save a text, and writes it there whole; null when dismissed. `name` is proposed. */
  saveText: {
    request: z.object({ name: z.string().min(1).max(160), format: exportFormatSchema, text: z.string().max(500_000_000) }),
    reply: z.object({ path: z.string().nullable() }),
  },
  /** Files given on the command line or by the system's "open with" before the window listened; each is handed out once. */
  takeFilesToOpen: { request: z.object({}), reply: z.array(z.string()) },
  /** An https link the person clicked: shown with its address and opened in the system's browser only if they agree. */
  openLink: { request: z.object({ address: z.string().max(4096) }), reply: z.object({ opened: z.boolean() }) },
} as const satisfies Record<string, { request: z.ZodType; reply: z.ZodType }>;
export type ShellMethod = keyof typeof shellContract;
export type ShellRequestOf<Method extends ShellMethod> = z.input<(typeof shellContract)[Method]["request"]>;
export type ShellReplyOf<Method extends ShellMethod> = z.output<(typeof shellContract)[Method]["reply"]>;

/** Reply of any shell request: Electron keeps only an error's message, so errors cross as data. */
export const shellOutcomeSchema = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), problem: problemSchema }),
]);
export type ShellOutcome = z.infer<typeof shellOutcomeSchema>;

/** Commands of the menu that the window carries out. */
export const menuCommandSchema = z.enum([
  "open-documents",
  "new-conversation",
  "undo-delete",
  "export-conversation",
  "stop-answer",
  "go-to-page",
  "select-all",
  "find-in-document",
  "search-conversations",
  "zoom-in",
  "zoom-out",
  "zoom-reset",
  "text-larger",
  "text-smaller",
  "models",
  "settings",
  "about-engine",
  "next-pane",
  "previous-pane",
  "shortcuts",
  "tour",
]);
export type MenuCommand = z.infer<typeof menuCommandSchema>;

/** What main tells the window unasked. */
export const shellEventSchema = z.discriminatedUnion("event", [
  z.object({ event: z.literal("engine"), engine: engineStateSchema }),
  z.object({ event: z.literal("menu"), command: menuCommandSchema }),
  z.object({ event: z.literal("files-to-open") }),
]);
export type ShellEvent = z.infer<typeof shellEventSchema>;

/** What preload exposes as `window.longsight`. Functions and plain data only; engine calls go by {@link engineCallMessage}. */
export type LongsightBridge = {
  readonly platform: string;
  /** @returns a ShellOutcome, to be parsed by the caller. */
  readonly shell: (method: ShellMethod, payload: unknown) => Promise<unknown>;
  /** @returns a function that ends the subscription. */
  readonly onShellEvent: (listener: (event: unknown) => void) => () => void;
  /** Path of a dropped or chosen file; empty where it has none. */
  readonly pathOfFile: (file: File) => string;
};
