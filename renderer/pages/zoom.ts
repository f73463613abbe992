/** CSS pixels of one point (1/72 inch) at 100 %. */
export const pixelsPerPoint = 96 / 72;

export const smallestZoom = 0.5;
export const largestZoom = 4;
const steps = [0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4];

/** `width`: the widest page fills the pane. */
export type Zoom = { readonly kind: "width" } | { readonly kind: "fixed"; readonly scale: number };

export const defaultZoom: Zoom = { kind: "width" };

export function clampZoom(scale: number): number {
  return Math.min(largestZoom, Math.max(smallestZoom, scale));
}

export function fixedZoom(scale: number): Zoom {
  return { kind: "fixed", scale: clampZoom(scale) };
}

/** The next step above or below a scale, which itself need not be one. */
export function nextZoom(scale: number, direction: 1 | -1): number {
  const tolerance = 0.005;
  const found =
    direction === 1 ? steps.find((step) => step > scale + tolerance) : [...steps].reverse().find((step) => step < scale - tolerance);
  return found ?? (direction === 1 ? largestZoom : smallestZoom);
}

/** Scale at which a page of `points` width fills `pixels`; fitting may go below the smallest step but never above the largest. */
export function scaleForWidth(points: number, pixels: number): number {
  if (points <= 0 || pixels <= 0) return 1;
  return Math.min(largestZoom, Math.max(0.1, pixels / (points * pixelsPerPoint)));
}
