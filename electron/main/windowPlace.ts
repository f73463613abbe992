import type { Settings } from "../contract/shell.ts";

type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
type Place = { readonly x?: number; readonly y?: number; readonly width: number; readonly height: number };

/** The smallest window that the layout works in, in pixels. */
export const smallest = { width: 900, height: 600 } as const;
const usual = { width: 1280, height: 860 } as const;

/** Pixels of the title bar that must be on a screen for the window to be within reach. */
const grip = { width: 120, height: 24 } as const;

function overlap(start: number, length: number, otherStart: number, otherLength: number): number {
  return Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart);
}

/**
 * Where to open the window: as it was left where it can be reached there, else with the usual size in the middle of the screen.
 * @param screens work areas of all screens, in pixels
 */
export function windowPlace(left: Settings["window"], screens: readonly Area[]): Place {
  if (!left) return usual;
  const width = Math.max(smallest.width, left.width);
  const height = Math.max(smallest.height, left.height);
  const within = screens.some(
    (screen) =>
      overlap(left.x, width, screen.x, screen.width) >= grip.width && overlap(left.y, grip.height, screen.y, screen.height) >= grip.height,
  );
  return within ? { x: left.x, y: left.y, width, height } : { width, height };
}
