import { z } from "zod";
import { english, type MessageName, type ValuesOf } from "./messages/english.ts";
import { fill, type Piece, type Said } from "./messages/fill.ts";

const pieceSchema: z.ZodType<Piece> = z.union([z.string(), z.number(), z.lazy(() => wholeSaidSchema)]);
const wholeSaidSchema: z.ZodType<Said> = z.object({
  name: z.string().min(1),
  values: z.record(z.string(), z.union([pieceSchema, z.array(pieceSchema)])),
});

/** What was said, by name; where it cannot be understood, the English sentence beside it is left. */
export const saidSchema = wholeSaidSchema.optional().catch(undefined);

/** A sentence for people: in English, and by its name and values, from which it is made in another language. */
export type Message = {
  readonly message: string;
  /** Missing where a sentence comes from elsewhere, such as an earlier version. */
  readonly said?: Said | undefined;
};

export const messageSchema = z.object({ message: z.string().min(1), said: saidSchema });

/** What makes up a message, before what is said within it is reduced to names. */
type Given = Readonly<Record<string, Piece | Message | readonly (Piece | Message)[]>>;
type ValuesArguments<Name extends MessageName> = [keyof ValuesOf<Name, Message>] extends [never] ? [] : [values: ValuesOf<Name, Message>];

/** A message of the tables (contract/messages), filled. */
export function say<Name extends MessageName>(name: Name, ...values: ValuesArguments<Name>): Message;
export function say(name: string, given: Given = {}): Message {
  const values = Object.fromEntries(
    Object.entries(given).map(([key, value]) => [key, isList(value) ? value.map(reduced) : reduced(value)] as const),
  );
  const said = { name, values };
  const message = fill(english, "en", said);
  if (message === null) throw new TypeError(`The message ${name} was given what it has no place for.`);
  return { message, said };
}

function reduced(value: Piece | Message): Piece {
  if (typeof value !== "object" || !("message" in value)) return value;
  return value.said ?? value.message;
}

function isList(value: Given[string]): value is readonly (Piece | Message)[] {
  return Array.isArray(value);
}

const listSchema = z.array(wholeSaidSchema.nullable()).optional().catch(undefined);

/** Sentences that go with a document or a model: in English, and in the same order by name where they have one. */
export const noticesSchema = { notices: z.array(z.string()), saidNotices: listSchema } as const;

/** Messages as they cross beside other things. */
export function noticesOf(messages: readonly Message[]): { notices: string[]; saidNotices: (Said | null)[] } {
  return { notices: messages.map(({ message }) => message), saidNotices: messages.map(({ said }) => said ?? null) };
}

/** The other way round. */
export function messagesOf(given: {
  readonly notices: readonly string[];
  readonly saidNotices?: readonly (Said | null)[] | undefined;
}): Message[] {
  return given.notices.map((message, place) => ({ message, said: given.saidNotices?.[place] ?? undefined }));
}
