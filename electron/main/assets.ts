import { existsSync } from "node:fs";
import { join } from "node:path";

export type AssetPlaces = {
  readonly appFolder: string;
  /** Where a packaged app keeps what it brings along. */
  readonly resourcesFolder: string;
  readonly packaged: boolean;
};

function asset({ appFolder, resourcesFolder, packaged }: AssetPlaces, ...names: string[]): string | null {
  const path = join(packaged ? resourcesFolder : appFolder, "assets", ...names);
  return existsSync(path) ? path : null;
}

/** @returns path of the sample document that comes with Longsight, or null where it is missing */
export function sampleDocument(places: AssetPlaces): string | null {
  return asset(places, "samples", "longsight-sample.pdf");
}

/** @returns path of the window's icon, or null where it is missing */
export function windowIcon(places: AssetPlaces): string | null {
  return asset(places, "icons", "longsight-256.png");
}
