import { Parser } from "htmlparser2";
import { withoutDoctype } from "./doctype.ts";

/** An element of an XML file, by its name without prefix. */
export type XmlElement = { readonly name: string; readonly attributes: Readonly<Record<string, string>>; readonly text: string };

/**
 * The elements of an XML file in the order of their ends, each with the text directly inside it. Entities other than XML's own five and
 * character references stay as they are written: nothing is expanded, nothing is fetched.
 */
export function xmlElements(xml: string): XmlElement[] {
  const elements: XmlElement[] = [];
  const open: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => void open.push({ name: localName(name), attributes, text: "" }),
      ontext: (data) => {
        const inner = open.at(-1);
        if (inner !== undefined) inner.text += data;
      },
      onclosetag: () => {
        const closed = open.pop();
        if (closed !== undefined) elements.push(closed);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(withoutDoctype(xml));
  parser.end();
  return elements;
}

/** A name without its prefix: `w:p` is `p`. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** An attribute by its name without prefix; null where it is not there. */
export function attributeOf(attributes: Readonly<Record<string, string>>, name: string): string | null {
  const found = Object.keys(attributes).find((each) => localName(each) === name);
  return found === undefined ? null : (attributes[found] ?? null);
}
