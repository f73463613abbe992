import { Parser } from "htmlparser2";
import { linearForm, type MathElement } from "./equation.ts";
import { type HiddenStyles, isOn } from "./wordStyles.ts";
import { attributeOf, localName } from "./xml.ts";

/** A part of a Word document as the converter can read it. */
export type ReadablePart = {
  readonly xml: string;
  /** Equations that are pictures, made by an equation editor: nothing of them can be read. */
  readonly drawnEquations: number;
};

type Edit = { readonly from: number; readonly to: number; readonly text: string };

type Open = {
  readonly name: string;
  /** With its colon. */
  readonly prefix: string;
  readonly from: number;
  /** Whether the style of this paragraph or run hides its text. */
  styleHides: boolean;
  /** What this run says itself of being hidden. */
  hides: boolean | null;
  /** Where the children of this run are that show something. */
  readonly shown: Edit[];
};

type Equation = { readonly from: number; readonly stack: MathElement[] };

/** Parts with text of the document; headers, footers and comments are not read. */
const textRoots: readonly string[] = ["document", "footnotes", "endnotes"];
/** Children of a run that show nothing themselves. A field whose begin is hidden ends as it should. */
const structure: readonly string[] = ["rPr", "fldChar", "instrText"];
const equationEditors = /^(?:Equation|MathType)\b/i;

/**
 * Takes hidden text out of a part, and writes its equations as text: the converter knows of neither. All else stays byte for byte, so that
 * what is broken is still found to be.
 */
export function readablePart(xml: string, styles: HiddenStyles): ReadablePart {
  const open: Open[] = [];
  const edits: Edit[] = [];
  let equation: Equation | null = null;
  let isText: boolean | null = null;
  let drawnEquations = 0;
  const paragraph = (): Open | undefined => lastNamed(open, "p");

  const enter = (name: string, prefix: string, attributes: Readonly<Record<string, string>>, from: number): void => {
    const [outer, outermost] = [open.at(-1), open.at(-2)];
    const value = attributeOf(attributes, "val");
    if (name === "pStyle" && outer?.name === "pPr" && outermost?.name === "p") outermost.styleHides = styles.hides(value);
    if (outer?.name === "rPr" && outermost?.name === "r") {
      if (name === "vanish") outermost.hides = isOn(value);
      else if (name === "rStyle" && value !== null) outermost.styleHides = styles.hides(value);
    }
    if (name === "OLEObject" && equationEditors.test(attributeOf(attributes, "ProgID") ?? "")) drawnEquations += 1;
    open.push({ name, prefix, from, styleHides: name === "p" && styles.hides(null), hides: null, shown: [] });
  };
  const leave = (to: number): void => {
    const closed = open.pop();
    if (closed === undefined) return;
    const outer = open.at(-1);
    if (outer?.name === "r" && !structure.includes(closed.name)) outer.shown.push({ from: closed.from, to, text: "" });
    // A run's own word counts, else that of its styles; two styles that hide show again (ECMA-376 part 1, 17.7.3).
    if (closed.name === "r" && (closed.hides ?? closed.styleHides !== (paragraph()?.styleHides ?? false))) edits.push(...closed.shown);
  };
  const write = ({ from, stack: [root] }: Equation, to: number): void => {
    const text = root === undefined || paragraph()?.styleHides === true ? "" : linearForm(root);
    const holder = paragraph() ?? lastNamed(open, "body");
    if (holder === undefined) return;
    const run = runOf(text, holder.prefix);
    edits.push({ from, to, text: holder.name === "p" ? run : `<${holder.prefix}p>${run}</${holder.prefix}p>` });
  };

  const parser = new Parser(
    {
      onopentag: (prefixed, attributes) => {
        const name = localName(prefixed);
        isText ??= textRoots.includes(name);
        if (!isText) return;
        if (equation === null && (name === "oMath" || name === "oMathPara")) equation = { from: parser.startIndex, stack: [] };
        if (equation === null) enter(name, prefixed.slice(0, prefixed.length - name.length), attributes, parser.startIndex);
        else deepen(equation, { name, value: attributeOf(attributes, "val"), hidden: false, children: [] });
      },
      ontext: (data) => void equation?.stack.at(-1)?.children.push(data),
      onclosetag: (_, isImplied) => {
        if (isText !== true) return;
        const end = xml.indexOf(">", parser.endIndex);
        const to = end === -1 ? xml.length : end + 1;
        if (equation === null) leave(to);
        else if (equation.stack.length > 1) equation.stack.pop();
        else {
          // One that is never closed is broken, and stays so.
          if (!isImplied) write(equation, to);
          equation = null;
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
  return { xml: edited(xml, edits), drawnEquations };
}

function lastNamed(open: readonly Open[], name: string): Open | undefined {
  for (let at = open.length - 1; at >= 0; at -= 1) if (open[at]?.name === name) return open[at];
  return undefined;
}

function deepen({ stack }: Equation, element: MathElement): void {
  const [outer, outermost] = [stack.at(-1), stack.at(-2)];
  if (element.name === "vanish" && outer?.name === "rPr" && outermost?.name === "r") outermost.hidden = isOn(element.value);
  outer?.children.push(element);
  stack.push(element);
}

function runOf(text: string, prefix: string): string {
  const lines = text.split("\n").map((line) => `<${prefix}t xml:space="preserve">${escaped(line)}</${prefix}t>`);
  return `<${prefix}r>${lines.join(`<${prefix}br/>`)}</${prefix}r>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** An edit that lies in another one goes with it. */
function edited(xml: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, text } of [...edits].sort((one, other) => one.from - other.from || other.to - one.to)) {
    if (from < at) continue;
    pieces.push(xml.slice(at, from), text);
    at = to;
  }
  return pieces.join("") + xml.slice(at);
}
