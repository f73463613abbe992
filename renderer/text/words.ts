import { useTranslation } from "react-i18next";
import { wordsIn } from "../../electron/contract/messages/wordsIn.ts";
import type { Message } from "../../electron/contract/said.ts";
import { language } from "./i18n.ts";

/** What the engine or main says, in the language in use; in English where it is not known by name. */
export function wordsOf(message: Message): string {
  return wordsIn(language(), message);
}

/** {@link wordsOf}, for a component that is drawn again when the language changes. */
export function useWords(): typeof wordsOf {
  useTranslation();
  return wordsOf;
}
