import { useLayoutEffect } from "react";
import type { Settings } from "../../electron/contract/shell.ts";
import { language, speak } from "../text/i18n.ts";

/** Puts theme, language and text size on the document, before anything of it is painted: the person's choices, else the system's. */
export function useAppearance({ theme, language: spoken, textSize }: Pick<Settings, "theme" | "language" | "textSize">): void {
  const { documentElement: root } = document;
  useLayoutEffect(() => {
    const query = window.matchMedia("(prefers-color-scheme: dark)");
    const apply = (): void => {
      root.dataset["theme"] = theme === "system" ? (query.matches ? "dark" : "light") : theme;
    };
    apply();
    query.addEventListener("change", apply);
    return () => query.removeEventListener("change", apply);
  }, [root, theme]);
  useLayoutEffect(() => {
    // In Electron this is the app's locale, which main goes by as well.
    speak(spoken, navigator.language);
    root.lang = language();
  }, [root, spoken]);
  useLayoutEffect(() => {
    root.dataset["textSize"] = textSize;
  }, [root, textSize]);
}
