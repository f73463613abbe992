import type { Language } from "../language.ts";
import type { Message } from "../said.ts";
import { english } from "./english.ts";
import { fill, type Texts } from "./fill.ts";
import { german } from "./german.ts";

const tables: Readonly<Record<Language, Texts>> = { en: english, de: german };

/** A message in a language; its English sentence where it is not known by name. */
export function wordsIn(language: Language, { message, said }: Message): string {
  return (said === undefined ? null : fill(tables[language], language, said)) ?? message;
}
