import { z } from "zod";

/** Languages that Longsight speaks. */
export const languageSchema = z.enum(["en", "de"]);
export type Language = z.infer<typeof languageSchema>;

/** What can be chosen: one of them, or the system's. */
export const languageSettingSchema = z.enum(["system", ...languageSchema.options]);
export type LanguageSetting = z.infer<typeof languageSettingSchema>;

/**
 * The language that a choice comes to.
 * @param systemLocale the system's, as BCP 47 writes it ("de-AT"); of one that Longsight does not speak it is English
 */
export function languageOf(setting: LanguageSetting, systemLocale: string): Language {
  if (setting !== "system") return setting;
  const [spoken = ""] = systemLocale.toLowerCase().split(/[-_]/);
  return languageSchema.catch("en").parse(spoken);
}
