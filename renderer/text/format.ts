import type { Language } from "../../electron/contract/language.ts";
import { language } from "./i18n.ts";

/** Between a number and its unit, which are not to stand on two lines. */
const space = "\u00a0";

function formatsOf(locale: Language) {
  return {
    whole: new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }),
    oneDigit: new Intl.NumberFormat(locale, { maximumFractionDigits: 1, minimumFractionDigits: 1 }),
    percent: new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }),
    twoDigits: new Intl.NumberFormat(locale, { minimumSignificantDigits: 2, maximumSignificantDigits: 2 }),
    smallPercent: new Intl.NumberFormat(locale, { style: "percent", maximumSignificantDigits: 1 }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
  };
}

/** Making one takes far longer than using it. */
const made = { en: formatsOf("en"), de: formatsOf("de") } as const satisfies Record<Language, unknown>;

/** Those of the language in use. */
const formats = () => made[language()];

/** "61,408" */
export function formatCount(value: number): string {
  return formats().whole.format(value);
}

/** "28%", rounded down so that 100 % is only said when it is there. */
export function formatPercent(fraction: number): string {
  return formats().percent.format(Math.floor(Math.min(1, Math.max(0, fraction)) * 100) / 100);
}

/** "4%" or "0.5%" of a whole, rounded; what is not all of it is never 100%. */
export function formatShare(fraction: number): string {
  return fraction < 0.01 ? formats().smallPercent.format(fraction) : formats().percent.format(fraction < 1 ? Math.min(fraction, 0.99) : 1);
}

/** "0.0038": a score, whose size says nothing but beside others. */
export function formatScore(score: number): string {
  return formats().twoDigits.format(score);
}

/** "125%" of a scale, to the nearest percent. */
export function formatScale(scale: number): string {
  return formats().percent.format(scale);
}

/** "754 MB": decimal units, as file managers say them; the space does not break. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const text = value < 9.95 && unit > 0 ? formats().oneDigit.format(value) : formats().whole.format(value);
  return `${text}${space}${units[unit] ?? ""}`;
}

/** "31" or "4.2": a rate with as many digits as mean something. */
export function formatRate(perSecond: number): string {
  return perSecond >= 10 ? formats().whole.format(perSecond) : formats().oneDigit.format(perSecond);
}

/** "40 ms", "4.2 s", "3 min 20 s" of a measured time in milliseconds; a short one is never "0.0 s". The spaces do not break. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 99.5) return `${formats().whole.format(milliseconds)}${space}ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds < 10 ? formats().oneDigit.format(seconds) : formats().whole.format(seconds)}${space}s`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds - minutes * 60);
  return [`${formats().whole.format(minutes)}${space}min`, ...(rest === 0 || minutes >= 10 ? [] : [`${rest}${space}s`])].join(space);
}

/** An estimate of seconds, in steps that do not flicker: 7 s, 40 s, 3 min. */
export function formatEstimate(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${formats().oneDigit.format(seconds / 3600)} h`;
}

/** "29 Nov 2026, 14:31" of milliseconds since 1970. */
export function formatTime(milliseconds: number): string {
  return formats().date.format(milliseconds);
}
