import { Parser } from "htmlparser2";
import { attributeOf, localName } from "./xml.ts";

/** Which styles hide text. */
export type HiddenStyles = {
  /** @param id null for a paragraph without a style of its own */
  hides(id: string | null): boolean;
};

type Style = { readonly id: string; readonly isDefault: boolean; hides: boolean | null; basedOn: string | null };

/** Whether an element that switches something on does, by its `val`. */
export function isOn(value: string | null): boolean {
  return value !== "0" && value !== "false" && value !== "off";
}

/** @param sheets the parts of a Word document that hold its styles */
export function hiddenStyles(sheets: readonly string[]): HiddenStyles {
  const styles = sheets.flatMap(stylesIn);
  const byId = new Map(styles.map((style) => [style.id, style]));
  const usual = styles.find(({ isDefault }) => isDefault)?.id ?? null;
  return {
    hides: (id) => {
      const seen = new Set<Style>();
      for (let style = byId.get(id ?? usual ?? ""); style !== undefined; style = byId.get(style.basedOn ?? "")) {
        if (style.hides !== null) return style.hides;
        // Styles that are based on each other say nothing.
        if (seen.has(style)) break;
        seen.add(style);
      }
      return false;
    },
  };
}

function stylesIn(xml: string): Style[] {
  const styles: Style[] = [];
  const names: string[] = [];
  let style: Style | null = null;
  const parser = new Parser(
    {
      onopentag: (prefixed, attributes) => {
        const name = localName(prefixed);
        if (name === "style") {
          const isDefault = attributeOf(attributes, "type") === "paragraph" && isOn(attributeOf(attributes, "default") ?? "0");
          style = { id: attributeOf(attributes, "styleId") ?? "", isDefault, hides: null, basedOn: null };
          styles.push(style);
        } else if (style !== null && name === "basedOn" && names.at(-1) === "style") style.basedOn = attributeOf(attributes, "val");
        else if (style !== null && name === "vanish" && names.at(-1) === "rPr" && names.at(-2) === "style")
          style.hides = isOn(attributeOf(attributes, "val"));
        names.push(name);
      },
      onclosetag: () => void names.pop(),
    },
    { xmlMode: true },
  );
  parser.write(xml);
  parser.end();
  return styles;
}
