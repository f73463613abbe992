import type { ComponentProps, ReactNode, RefObject } from "react";
import { Minimap } from "../heat/Minimap.tsx";

type PageScrollerProps = {
  readonly documentId: string;
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Where each page lies in it. */
  readonly places: ComponentProps<typeof Minimap>["places"];
  readonly label: string;
  /** Pictures of the pages, else their text. */
  readonly onPaper: boolean;
  readonly children: ReactNode;
};

/** What a document's pages scroll in, drawn or as text, with the map of its heat beside. */
export function PageScroller({ documentId, scroller, places, label, onPaper, children }: PageScrollerProps) {
  return (
    <div className="page-view">
      <Minimap documentId={documentId} scroller={scroller} places={places} onPaper={onPaper} />
      <div
        className={`page-scroller${onPaper ? "" : " text-pages"}`}
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
