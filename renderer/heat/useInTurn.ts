import { type RefObject, useEffect, useRef, useState } from "react";
import { createTurns } from "./turns.ts";

/** The window's own: all of its heat is drawn in the same frames. */
const turns = createTurns((run) => void requestAnimationFrame(run));

/**
 * A value, told late: when it changes, each place that it is drawn in gets a frame of its own, so that many pages do not hold up one frame. What
 * changes meanwhile is skipped.
 * @param value a constant one while nothing changes, and no function
 * @param place where it is drawn; what is in view comes first
 */
export function useInTurn<Value extends object | null>(value: Value, place: RefObject<Element | null>): Value {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  const takeBack = useRef<(() => void) | null>(null);
  useEffect(() => {
    latest.current = value;
    if (value === shown || takeBack.current !== null) return;
    takeBack.current = turns.take(
      () => {
        takeBack.current = null;
        setShown(() => latest.current);
      },
      () => place.current !== null && isInView(place.current),
    );
  }, [value, shown, place]);
  useEffect(
    () => () => {
      takeBack.current?.();
      takeBack.current = null;
    },
    [],
  );
  return shown;
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}
