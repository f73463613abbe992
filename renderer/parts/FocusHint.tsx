import { useEffect, useState } from "react";

type Hint = { readonly words: string; readonly style: { readonly [side in "left" | "right" | "top" | "bottom"]?: number } };

/** Pixels between a button and its name. */
const distance = 6;

/** The name of a button beside it, towards the middle of the window. */
function hintOf(button: HTMLElement): Hint {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  return {
    words: button.title === "" ? (button.ariaLabel ?? "") : button.title,
    style: {
      ...(left + right < innerWidth ? { left } : { right: innerWidth - right }),
      ...(top + bottom < innerHeight ? { top: bottom + distance } : { bottom: innerHeight - top + distance }),
    },
  };
}

/** Names a button with a picture alone while a key has the focus on it: titles come with the pointer only. Its name is read out anyway. */
export function FocusHint() {
  const [hint, setHint] = useState<Hint | null>(null);
  useEffect(() => {
    let button: HTMLElement | null = null;
    const show = (): void => setHint(button === null ? null : hintOf(button));
    const focused = ({ target }: FocusEvent): void => {
      button = target instanceof HTMLElement && target.matches(".icon-button:focus-visible") ? target : null;
      show();
    };
    const left = (): void => {
      button = null;
      show();
    };
    const moved = (): void => {
      if (button !== null) show();
    };
    document.addEventListener("focusin", focused);
    document.addEventListener("focusout", left);
    document.addEventListener("pointerdown", left);
    document.addEventListener("scroll", moved, true);
    window.addEventListener("resize", moved);
    return () => {
      document.removeEventListener("focusin", focused);
      document.removeEventListener("focusout", left);
      document.removeEventListener("pointerdown", left);
      document.removeEventListener("scroll", moved, true);
      window.removeEventListener("resize", moved);
    };
  }, []);
  if (hint === null || hint.words === "") return null;
  return (
    <div className="focus-hint" aria-hidden="true" data-testid="focus-hint" style={hint.style}>
      {hint.words}
    </div>
  );
}
