import type { Language } from "../language.ts";

/** What stands in a message's place: a text or number, or another message. */
export type Piece = string | number | Said;
/** A message by its name in the tables of texts, with what fills its places. */
export type Said = { readonly name: string; readonly values: Readonly<Record<string, Piece | readonly Piece[]>> };

/**
 * The messages of one language. A place is `{{name}}`, or `{{name, format}}`. A name that ends in `_one` or `_other` is a message's form for
 * that plural of its value `count`, as in the window's texts.
 */
export type Texts = Readonly<Record<string, string>>;

const quotes = { en: ["“", "”"], de: ["„", "“"] } as const satisfies Record<Language, unknown>;
const and = { en: "and", de: "und" } as const satisfies Record<Language, string>;

const isTexts = (value: unknown): value is readonly (string | number)[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string" || typeof one === "number");

/** How a value looks in a place that asks for more than the value itself; null for one that cannot look so. */
const formats = {
  /** "1,024" */
  number: (value: unknown, language: Language) => (typeof value === "number" ? value.toLocaleString(language) : null),
  /** "4.0" */
  oneDigit: (value: unknown, language: Language) =>
    typeof value === "number"
      ? Number(value.toFixed(1)).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false })
      : null,
  /** "1, 2 and 5" */
  list: (value: unknown, language: Language) => {
    if (!isTexts(value)) return null;
    const before = value.slice(0, -1).join(", ");
    return [...(before === "" ? [] : [before, and[language]]), value[value.length - 1]].join(" ");
  },
  /** "1, 2, 5" */
  commas: (value: unknown) => (isTexts(value) ? value.join(", ") : null),
  /** "“a”, “b”" */
  quoted: (value: unknown, language: Language) => {
    const [open, close] = quotes[language];
    return isTexts(value) ? value.map((text) => `${open}${text}${close}`).join(", ") : null;
  },
} as const satisfies Record<string, (value: unknown, language: Language) => string | null>;

const isFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);

/** The places of a template, each as it stands between its braces. */
export type Places<Template extends string> = Template extends `${string}{{${infer Place}}}${infer Rest}` ? Place | Places<Rest> : never;

/** The value's name in a place. */
export type NameIn<Place extends string> = Place extends `${infer Name}, ${string}` ? Name : Place;

const place = /\{\{(\w+)(?:, (\w+))?\}\}/g;

/**
 * A message in a language.
 * @param texts of that language
 * @returns null where there is no text of that name, or a value is missing or of another kind: then another version has made it
 */
export function fill(texts: Texts, language: Language, { name, values }: Said): string | null {
  const template = templateOf(texts, language, name, values["count"]);
  if (template === null) return null;
  const shown = (value: Piece | readonly Piece[] | undefined, format: string): string | null => {
    const spoken = isList(value) ? value.map(speak) : speak(value);
    if (format !== "") return isFormat(format) ? formats[format](spoken, language) : null;
    return typeof spoken === "string" || typeof spoken === "number" ? String(spoken) : null;
  };
  const speak = (value: Piece | undefined): string | number | null =>
    typeof value === "object" ? fill(texts, language, value) : (value ?? null);
  let isWhole = true;
  const filled = template.replace(place, (_place, key: string, format = "") => {
    const text = Object.hasOwn(values, key) ? shown(values[key], String(format)) : null;
    isWhole &&= text !== null;
    return text ?? "";
  });
  return isWhole ? filled : null;
}

function templateOf(texts: Texts, language: Language, name: string, count: unknown): string | null {
  const form = typeof count === "number" ? `${name}_${new Intl.PluralRules(language).select(count)}` : name;
  for (const key of [name, form]) if (Object.hasOwn(texts, key)) return texts[key] ?? null;
  return null;
}

function isList(value: Piece | readonly Piece[] | undefined): value is readonly Piece[] {
  return Array.isArray(value);
}
