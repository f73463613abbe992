import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentSummary, PageSummary } from "../../electron/contract/document.ts";
import { useSession, useView } from "../app/SessionContext.tsx";
import { HeatText } from "../heat/HeatText.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { formatCount } from "../text/format.ts";
import { PageScroller } from "./PageScroller.tsx";
import { usePageText } from "./usePageText.ts";

/** Guessed height of a page of text in pixels, until it has been measured. */
function guessHeight(page: PageSummary): number {
  return 72 + 24 * Math.ceil(page.characters / 90);
}

/** The text of the document as the model reads it, page by page. */
export function TextPages({ summary }: { readonly summary: DocumentSummary }) {
  const { t } = useTranslation();
  const session = useSession();
  const { view, documents } = session.stores;
  const scroller = useRef<HTMLDivElement>(null);
  const goTo = useView((state) => state.goTo);
  const first = useRef((documents.getState().pageInView[summary.id] ?? 1) - 1);
  const virtualizer = useVirtualizer({
    count: summary.pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const page = summary.pages[index];
      return page === undefined ? 200 : guessHeight(page);
    },
    overscan: 2,
    paddingStart: 16,
    paddingEnd: 16,
    onChange: (instance) => {
      const offset = (instance.scrollOffset ?? 0) + (instance.scrollRect?.height ?? 0) / 3;
      const item = instance.getVirtualItemForOffset(offset);
      if (item !== undefined) session.documents.pageSeen(summary.id, item.index + 1);
    },
  });

  useEffect(() => {
    if (first.current > 0) virtualizer.scrollToIndex(first.current, { align: "start" });
  }, [virtualizer]);

  useEffect(() => {
    if (goTo === null || goTo.documentId !== summary.id) return;
    virtualizer.scrollToIndex(goTo.page - 1, { align: "start" });
    view.setState({ goTo: null });
  }, [goTo, summary.id, view, virtualizer]);

  const places = useMemo(() => sharesOfText(summary.pages), [summary.pages]);
  return (
    <PageScroller
      documentId={summary.id}
      scroller={scroller}
      places={places}
      label={t("pages.textColumn", { name: summary.name })}
      onPaper={false}
    >
      <div className="text-column" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const page = summary.pages[item.index];
          if (page === undefined) return null;
          return (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className="text-page-place"
              style={{ top: item.start }}
            >
              <TextPage documentId={summary.id} page={page} count={summary.pages.length} />
            </div>
          );
        })}
      </div>
    </PageScroller>
  );
}

/** Where each page's text lies in the column, by the heights that are guessed of them. */
function sharesOfText(pages: readonly PageSummary[]): { top: number; bottom: number }[] {
  const heights = pages.map(guessHeight);
  const whole = heights.reduce((sum, height) => sum + height, 0);
  let at = 0;
  return heights.map((height) => {
    const top = at / whole;
    at += height;
    return { top, bottom: at / whole };
  });
}

type TextPageProps = { readonly documentId: string; readonly page: PageSummary; readonly count: number };

/** One page as the model reads it. */
export function TextPage({ documentId, page, count }: TextPageProps) {
  const { t } = useTranslation();
  const { text, problem } = usePageText(documentId, page.page, page.characters);
  const label = t("pages.pageOf", { page: formatCount(page.page), count: formatCount(count) });
  // A page that goes on with a section says with which.
  const heading = page.title === undefined || text === null || text.text.startsWith(page.title) ? null : page.title;
  return (
    <article
      className="text-page"
      data-page={page.page}
      aria-label={label}
      style={text === null && problem === null ? { minHeight: guessHeight(page) - 16 } : undefined}
    >
      {count > 1 ? (
        <h3 className="text-page-number">
          {label}
          {heading === null ? null : ` · ${heading}`}
        </h3>
      ) : null}
      {problem === null ? null : <ProblemText problem={problem} />}
      {text !== null && text.text.trim() === "" ? <p className="text-page-empty">{t("pages.noText")}</p> : null}
      {page.flags.includes("recognised") && page.characters > 0 ? <p className="text-page-empty">{t("pages.recognised")}</p> : null}
      {page.flags.includes("unreadable") ? <p className="text-page-empty">{t("pages.unreadable")}</p> : null}
      {text === null ? null : <HeatText documentId={documentId} page={page.page} text={text.text} />}
    </article>
  );
}
