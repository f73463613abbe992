/** An element of Word's markup of equations (OMML), by its name without prefix, with its `val`. */
export type MathElement = {
  readonly name: string;
  readonly value: string | null;
  /** True for a run of hidden text. */
  hidden: boolean;
  readonly children: (MathElement | string)[];
};

/**
 * An equation on one line, as Word itself writes it there (UnicodeMath, Unicode Technical Note 28): `(a+b)/2`, `x^2`, `√(y)`, `∑_(i=1)^n i`.
 * Several equations of one paragraph are lines of their own.
 */
export function linearForm(element: MathElement): string {
  switch (element.name) {
    case "t":
      return element.children.filter((child) => typeof child === "string").join("");
    case "r":
      return element.hidden ? "" : inOrder(element);
    case "oMathPara":
      return formsOf(element).join("\n");
    case "f":
      return `${grouped(part(element, "num"))}${property(element, "type") === "noBar" ? "¦" : "/"}${grouped(part(element, "den"))}`;
    case "sSub":
    case "sSup":
    case "sSubSup":
      return grouped(part(element, "e")) + scripts(element);
    case "sPre":
      return scripts(element) + grouped(part(element, "e"));
    case "limLow":
      return grouped(part(element, "e")) + script("_", part(element, "lim"));
    case "limUpp":
      return grouped(part(element, "e")) + script("^", part(element, "lim"));
    case "nary":
      return `${property(element, "chr") ?? "∫"}${scripts(element)} ${part(element, "e")}`;
    case "rad":
      return part(element, "deg") === "" ? `√(${part(element, "e")})` : `√(${part(element, "deg")}&${part(element, "e")})`;
    case "d":
      return `${property(element, "begChr") ?? "("}${formsOf(element, "e").join(property(element, "sepChr") ?? "|")}${property(element, "endChr") ?? ")"}`;
    case "func":
      return `${part(element, "fName")} ${grouped(part(element, "e"))}`;
    case "acc":
      return grouped(part(element, "e")) + (property(element, "chr") ?? "\u0302");
    case "bar":
      return (property(element, "pos") === "top" ? "¯" : "▁") + grouped(part(element, "e"));
    case "groupChr":
      return (property(element, "chr") ?? "⏟") + grouped(part(element, "e"));
    case "m":
      return `■(${formsOf(element, "mr").join("@")})`;
    case "mr":
      return formsOf(element, "e").join("&");
    case "eqArr":
      return `█(${formsOf(element, "e").join("@")})`;
    default:
      return inOrder(element);
  }
}

/** Elements that say how, not what; and what was deleted or moved away. */
const unread = /Pr$|^(?:del|moveFrom)$/;

function elementsOf(element: MathElement, name?: string): MathElement[] {
  return element.children.flatMap((child) =>
    typeof child === "string" || unread.test(child.name) || (name !== undefined && child.name !== name) ? [] : [child],
  );
}

function formsOf(element: MathElement, name?: string): string[] {
  return elementsOf(element, name).map(linearForm);
}

function inOrder(element: MathElement): string {
  return formsOf(element).join("");
}

function part(element: MathElement, name: string): string {
  return formsOf(element, name).join("");
}

/** @returns null where it is not given; empty where it is given as nothing, as for an open bracket that is never closed */
function property(element: MathElement, name: string): string | null {
  const properties = childNamed(element, `${element.name}Pr`);
  const named = properties === undefined ? undefined : childNamed(properties, name);
  return named === undefined ? null : (named.value ?? "");
}

function childNamed(element: MathElement, name: string): MathElement | undefined {
  return element.children.flatMap((child) => (typeof child === "string" ? [] : child)).find((child) => child.name === name);
}

function scripts(element: MathElement): string {
  return script("_", part(element, "sub")) + script("^", part(element, "sup"));
}

function script(mark: string, text: string): string {
  return text === "" ? "" : mark + grouped(text);
}

/** In brackets, but for a word, a number and a single character. */
function grouped(text: string): string {
  return Array.from(text).length <= 1 || /^(?:\p{L}+|[\d.,]+)$/u.test(text) ? text : `(${text})`;
}
