import { keptLevel, type Look, lookNames } from "../../electron/contract/shades.ts";
import { keptOf, type Unit } from "../../electron/contract/units.ts";
import { type HeatIndex, shadesOf } from "./heatIndex.ts";
import type { HeatChoice } from "./heatStore.ts";

/** How a unit is drawn. `faded`: not kept by most heads. */
export type HeatLook = Look & { readonly faded: boolean };

/** How each unit of an index is drawn, at what is kept now. */
export type LookOf = (unit: Unit) => HeatLook;

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

/** Names of its styles. */
export function heatLookNames(look: HeatLook): string {
  return `${lookNames(look)}${look.faded ? " faded" : ""}`.trim();
}
