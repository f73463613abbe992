import { conversations } from "./en/conversations.ts";
import { documents } from "./en/documents.ts";
import { exported } from "./en/exported.ts";
import { general } from "./en/general.ts";
import { main } from "./en/main.ts";
import { models } from "./en/models.ts";
import { snapshots } from "./en/snapshots.ts";
import type { NameIn, Piece, Places } from "./fill.ts";

/** Every message of the engine and of main in English, by name. */
export const english = { ...general, ...documents, ...models, ...conversations, ...snapshots, ...exported, ...main } as const;

type English = typeof english;

/** What a message may be called: plural forms share a name. */
export type MessageName = keyof English extends infer Key ? (Key extends `${infer Name}_${"one" | "other"}` ? Name : Key) : never;

type TemplateOf<Name extends MessageName> = English[Extract<keyof English, Name | `${Name}_one` | `${Name}_other`>];
type CountOf<Name extends MessageName> = `${Name}_other` extends keyof English ? "count" : never;

/** What a place takes; what is to be said within a message is one itself. */
type ValueIn<Place extends string, Inner> = Place extends "count" | `${string}, ${"number" | "oneDigit"}`
  ? number
  : Place extends `${string}, ${"list" | "commas" | "quoted"}`
    ? readonly (Piece | Inner)[]
    : Piece | Inner;

/** The values that a message's places take, by name. */
export type ValuesOf<Name extends MessageName, Inner> = {
  readonly [Place in Places<TemplateOf<Name>> | CountOf<Name> as NameIn<Place>]: ValueIn<Place, Inner>;
};
