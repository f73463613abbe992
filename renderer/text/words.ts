import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { fill, type Texts } from "../../electron/contract/messages/fill.ts";
import type { Message } from "../../electron/contract/said.ts";
import { language } from "./i18n.ts";

/** What the engine or main says, in the language in use; in English where it is not known by name. */
export function wordsOf({ message, said }: Message): string {
  const texts: Texts = i18next.getResourceBundle(language(), "engine");
  return (said === undefined ? null : fill(texts, language(), said)) ?? message;
}

/** {@link wordsOf}, for a component that is drawn again when the language changes. */
export function useWords(): typeof wordsOf {
  useTranslation();
  return wordsOf;
}
