import { existsSync } from "node:fs";
import { join } from "node:path";

export type SamplePlaces = {
  readonly appFolder: string;
  /** Where a packaged app keeps what it brings along. */
  readonly resourcesFolder: string;
  readonly packaged: boolean;
};

/** @returns path of the sample document that comes with Longsight, or null where it is missing */
export function sampleDocument({ appFolder, resourcesFolder, packaged }: SamplePlaces): string | null {
  const path = join(packaged ? resourcesFolder : appFolder, "assets", "samples", "longsight-sample.pdf");
  return existsSync(path) ? path : null;
}
