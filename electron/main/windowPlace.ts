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

/** A size that the layout works in and that the screen, where there is one, holds. */
function sizeOn(screen: Area | undefined, { width, height }: { readonly width: number; readonly height: number }) {
  return {
    width: Math.max(smallest.width, Math.min(width, screen?.width ?? width)),
    height: Math.max(smallest.height, Math.min(height, screen?.height ?? height)),
  };
}

/**
 * Where to open the window: as it was left where it can be reached there, else in the middle of the screen; never larger than the
 * screen.
 * @param screens work areas of all screens, in pixels; the size in the middle is limited by the first
 */
export function windowPlace(left: Settings["window"], screens: readonly Area[]): Place {
  const [main] = screens;
  if (!left) return sizeOn(main, usual);
  const shared = (screen: Area, size: { readonly width: number; readonly height: number }): number =>
    Math.max(0, overlap(left.x, size.width, screen.x, screen.width)) * Math.max(0, overlap(left.y, size.height, screen.y, screen.height));
  const reached = screens
    .map((screen) => ({ screen, size: sizeOn(screen, left) }))
    .filter(
      ({ screen, size }) =>
        overlap(left.x, size.width, screen.x, screen.width) >= grip.width &&
        overlap(left.y, grip.height, screen.y, screen.height) >= grip.height,
    )
    .sort((one, other) => shared(other.screen, other.size) - shared(one.screen, one.size));
  const [best] = reached;
  return best === undefined ? sizeOn(main, left) : { x: left.x, y: left.y, ...best.size };
}
