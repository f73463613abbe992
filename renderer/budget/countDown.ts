import { useEffect, useRef, useState } from "react";

/** Milliseconds from the full cache's size to the kept one's. */
const duration = 1400;

/** What is shown at a share (0 … 1) of the way: every step the same part of what is there, slower towards the end. */
export function countedDown(from: number, to: number, share: number): number {
  if (share >= 1 || from <= to || to <= 0) return to;
  const eased = 1 - (1 - Math.max(0, share)) ** 3;
  return Math.round(from * (to / from) ** eased);
}

/**
 * Counts down to a number where that is a new one: `subject` changed while `place` stayed. At once for those who want no motion.
 * @param place what the number is of, for example a conversation: in another one there is nothing to count
 */
export function useCountDown(from: number, to: number, { subject, place }: { readonly subject: string; readonly place: string }): number {
  const [shown, setShown] = useState(to);
  const last = useRef({ subject, place });
  useEffect(() => {
    const isNew = last.current.place === place && last.current.subject !== subject;
    last.current = { subject, place };
    if (!isNew || window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      setShown(to);
      return;
    }
    const started = performance.now();
    let frame = 0;
    const step = (): void => {
      const share = (performance.now() - started) / duration;
      setShown(countedDown(from, to, share));
      if (share < 1) frame = requestAnimationFrame(step);
    };
    step();
    return () => cancelAnimationFrame(frame);
  }, [from, to, subject, place]);
  return shown;
}
