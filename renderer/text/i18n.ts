import i18next from "i18next";
import { initReactI18next } from "react-i18next";
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
  resources: { en: { window: en } },
  // React escapes what it shows.
  interpolation: { escapeValue: false },
  initAsync: false,
});

/** A text of the window outside of a component. */
export const translate = i18next.t;
export { i18next };
