import type { Language } from "../language.ts";
import type { Message } from "../said.ts";
import { fill } from "./fill.ts";
import { german } from "./german.ts";

/** A message in a language; in English where it is not known by name. */
export function wordsIn(language: Language, { message, said }: Message): string {
  return (language === "en" || said === undefined ? null : fill(german, language, said)) ?? message;
}
