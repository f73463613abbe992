import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession, useView } from "../app/SessionContext.tsx";
import type { ShownDocument } from "../documents/documentsStore.ts";
import { ProblemText } from "../parts/ProblemText.tsx";
import { PageScroller } from "./PageScroller.tsx";
import { PdfPage } from "./PdfPage.tsx";
import { type Anchor, anchorAt, layOutPages, offsetOf, pageGap, pageIndexAt } from "./pageLayout.ts";
import { usePageDrawer } from "./usePageDrawer.ts";
import { withZoomStep } from "./viewStore.ts";
import { clampZoom, scaleForWidth } from "./zoom.ts";

type PdfPagesProps = {
  readonly shown: ShownDocument;
  /** Its text is there, to be laid over the pictures. */
  readonly isRead: boolean;
};

/** All pages in one column; only those near the view exist. */
export function PdfPages({ shown, isRead }: PdfPagesProps) {
  const { t } = useTranslation();
  const session = useSession();
  const { view, documents } = session.stores;
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const zoom = useView((state) => state.zoom);
  const goTo = useView((state) => state.goTo);
  const { drawing, problem } = usePageDrawer(shown.id);

  const widest = useMemo(() => shown.pages.reduce((most, page) => Math.max(most, page.width), 1), [shown.pages]);
  const scale = zoom.kind === "fixed" ? clampZoom(zoom.scale) : scaleForWidth(widest, width - 2 * pageGap);
  const layout = useMemo(() => layOutPages(shown.pages, scale), [shown.pages, scale]);
  const [firstAnchor] = useState<Anchor>(() => {
    const page = documents.getState().pageInView[shown.id] ?? 1;
    const left = view.getState().places[shown.id];
    // The text may have been looked at since, at another page.
    if (left !== undefined && left.page === page) return left.anchor;
    const index = page - 1;
    return anchorAt(layout, (layout.tops[index] ?? pageGap) - pageGap);
  });
  const anchor = useRef<Anchor>(firstAnchor);
  /** Share of the column's width that is in the middle of the view. */
  const middle = useRef(0.5);

  const virtualizer = useVirtualizer({
    count: shown.pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (layout.heights[index] ?? 1) + pageGap,
    paddingStart: pageGap,
    overscan: 1,
    getItemKey: (index) => index,
  });

  useEffect(
    () => () => {
      const page = documents.getState().pageInView[shown.id] ?? 1;
      view.setState(({ places }) => ({ places: { ...places, [shown.id]: { anchor: anchor.current, page } } }));
    },
    [documents, view, shown.id],
  );

  // The same place of the same page stays in view when the scale changes.
  useLayoutEffect(() => {
    view.setState({ scale });
    virtualizer.measure();
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = offsetOf(layout, anchor.current);
    element.scrollLeft = middle.current * element.scrollWidth - element.clientWidth / 2;
  }, [layout, scale, view, virtualizer]);

  const scrolled = useCallback((): void => {
    const element = scroller.current;
    if (element === null) return;
    anchor.current = anchorAt(layout, element.scrollTop);
    middle.current = (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth;
    // The page that counts is the one a third down: at the end of a document, too, where nothing scrolls any further.
    const page = pageIndexAt(layout, element.scrollTop + element.clientHeight / 3) + 1;
    drawing?.drawer.lookAt(page);
    session.documents.pageSeen(shown.id, page);
  }, [layout, drawing, session, shown.id]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    scrolled();
    element.addEventListener("scroll", scrolled, { passive: true });
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      view.setState((state) => withZoomStep(state, event.deltaY < 0 ? 1 : -1));
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      element.removeEventListener("scroll", scrolled);
      element.removeEventListener("wheel", wheel);
    };
  }, [scrolled, view]);

  useEffect(() => {
    const element = scroller.current;
    if (goTo === null || goTo.documentId !== shown.id || element === null) return;
    element.scrollTop = (layout.tops[goTo.page - 1] ?? 0) - pageGap / 2;
    // The scale may change before the scrolling is heard of.
    anchor.current = anchorAt(layout, element.scrollTop);
    view.setState({ goTo: null });
  }, [goTo, shown.id, layout, view]);

  const places = useMemo(
    () => layout.tops.map((top, index) => ({ top: top / layout.height, bottom: (top + (layout.heights[index] ?? 0)) / layout.height })),
    [layout],
  );
  return (
    <PageScroller documentId={shown.id} scroller={scroller} places={places} label={t("pages.column", { name: shown.name })} onPaper>
      {problem === null ? null : <ProblemText problem={problem} testId="document-notice" />}
      <div className="page-column" style={{ height: virtualizer.getTotalSize(), minWidth: layout.width + 2 * pageGap }}>
        {virtualizer.getVirtualItems().map((item) => {
          const page = shown.pages[item.index];
          if (page === undefined) return null;
          return (
            <PdfPage
              key={item.key}
              documentId={shown.id}
              page={page}
              isRead={isRead}
              count={shown.pages.length}
              top={item.start}
              width={layout.widths[item.index] ?? 1}
              height={layout.heights[item.index] ?? 1}
              drawing={drawing}
            />
          );
        })}
      </div>
    </PageScroller>
  );
}

/** Inner width of an element in CSS pixels, followed as it changes. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
