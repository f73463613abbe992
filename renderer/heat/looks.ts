import { keptLevel } from "../../electron/contract/shades.ts";
import { keptOf, type Unit } from "../../electron/contract/units.ts";
import { type HeatIndex, shadesOf } from "./heatIndex.ts";
import type { HeatChoice } from "./heatStore.ts";

/** How a unit is drawn. */
export type Look = {
  /** 0 for none, 1 to 6 from pale to dark. */
  readonly shade: number;
  /** Of its underline: 0 for none, then dotted, thin, thick. */
  readonly level: number;
  /** Hatched: kept whatever its score. */
  readonly always: boolean;
  /** Not kept by the most heads: fades. */
  readonly faded: boolean;
};

/** How each unit of an index is drawn, at what is kept now. */
export type LookOf = (unit: Unit) => Look;

/** @param now in how many of how many layer-heads each token is kept */
export function looksOf(
  index: HeatIndex,
  { view, scale }: Pick<HeatChoice, "view" | "scale">,
  now: { readonly kept: Uint16Array; readonly layerHeads: number },
): LookOf {
  const shadeOf = shadesOf(index, scale);
  return (unit) => {
    const kept = keptOf(unit, now.kept, index.granularity);
    const level = keptLevel(kept, now.layerHeads);
    if (view === "kept") return { shade: 0, level, always: false, faded: 2 * kept < now.layerHeads };
    return { shade: shadeOf(unit), level, always: unit.always, faded: false };
  };
}

/** The names of a look's styles, the same for the same look; empty for a plain one. */
export function lookName({ shade, level, always, faded }: Look): string {
  return [
    ...(always ? ["always"] : []),
    ...(shade > 0 ? [`s${shade}`] : []),
    ...(level > 0 ? [`k${level}`] : []),
    ...(faded ? ["faded"] : []),
  ].join(" ");
}
