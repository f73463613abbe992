import type { RefObject } from "react";
import { linesOf } from "../../electron/contract/boxes.ts";

type LineFramesProps = {
  /** Of the page's characters, in points. */
  readonly boxes: Float32Array;
  /** A run of the page's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** CSS pixels of one point. */
  readonly scale: number;
  readonly className: string;
  readonly testId?: string;
  readonly current?: boolean;
  /** The first line's element. */
  readonly first?: RefObject<HTMLSpanElement | null> | ((element: HTMLSpanElement | null) => void) | undefined;
};

/** A run of a page's text marked over the page's picture, line by line. What it says is said elsewhere. */
export function LineFrames({ boxes, start, end, scale, className, testId, current, first }: LineFramesProps) {
  return linesOf(boxes, start, end).map(({ left, top, right, bottom }, line) => (
    <span
      key={`${start} ${left} ${top}`}
      ref={line === 0 ? first : undefined}
      className={className}
      data-testid={testId}
      data-current={current}
      aria-hidden="true"
      style={{ left: left * scale, top: top * scale, width: (right - left) * scale, height: (bottom - top) * scale }}
    />
  ));
}
