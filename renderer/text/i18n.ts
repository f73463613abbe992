import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { type Language, type LanguageSetting, languageOf, languageSchema } from "../../electron/contract/language.ts";
import de from "./de.json" with { type: "json" };
import en from "./en.json" with { type: "json" };

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "window";
    contextSeparator: "~";
    resources: { window: typeof en };
  }
}

void i18next.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  defaultNS: "window",
  // The usual "_" is part of names such as q8_0.
  contextSeparator: "~",
  // What the engine and main say has tables of its own, in the contract (words.ts): they are the same in their own processes.
  resources: { en: { window: en }, de: { window: de } },
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  initAsync: false,
});

/** The language in use: of texts, numbers, dates and sizes. */
export function language(): Language {
  return languageSchema.options.find((known) => known === i18next.language) ?? "en";
}

/** Changes the language of everything that is shown from now on; what is on the screen is drawn again. */
export function speak(setting: LanguageSetting, systemLocale: string): void {
  const wanted = languageOf(setting, systemLocale);
  if (wanted !== language()) void i18next.changeLanguage(wanted);
}

/** A text of the window outside of a component. */
export const translate = i18next.t;
