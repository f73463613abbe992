import { DropdownMenu, Popover } from "radix-ui";
import type { ReactNode } from "react";
import { keepLaterFocus } from "./laterFocus.ts";

/** From the edges of the window, in CSS pixels. */
const distance = 8;

type Place = {
  readonly side?: "top" | "bottom";
  readonly align: "start" | "end";
  /** CSS pixels between it and what opens it. */
  readonly sideOffset?: number;
  readonly children: ReactNode;
};

/** What a popover shows, over the window. @param label its name, read out */
export function PopoverLayer({ label, children, ...place }: Place & { readonly label: string }) {
  return (
    <Popover.Portal>
      <Popover.Content {...place} className="popover" collisionPadding={distance} aria-label={label} onCloseAutoFocus={keepLaterFocus}>
        {children}
      </Popover.Content>
    </Popover.Portal>
  );
}

/** What a menu shows, over the window. */
export function MenuLayer({ className = "", children, ...place }: Place & { readonly className?: string }) {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content {...place} className={`menu ${className}`} collisionPadding={distance} onCloseAutoFocus={keepLaterFocus}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  );
}
