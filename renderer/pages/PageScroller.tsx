import type { ComponentProps, ReactNode, RefObject } from "react";
import { Minimap } from "../heat/Minimap.tsx";

type PageScrollerProps = {
  readonly documentId: string;
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Where each page lies in it. */
  readonly places: ComponentProps<typeof Minimap>["places"];
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
};

/** What a document's pages scroll in, drawn or as text, with the map of its heat beside. */
export function PageScroller({ documentId, scroller, places, label, className, children }: PageScrollerProps) {
  return (
    <div className="page-view">
      <Minimap documentId={documentId} scroller={scroller} places={places} />
      <div
        className={`page-scroller${className === undefined ? "" : ` ${className}`}`}
        ref={scroller}
        tabIndex={0}
        role="group"
        aria-label={label}
        data-pane-focus="pages"
        data-text
      >
        {children}
      </div>
    </div>
  );
}
