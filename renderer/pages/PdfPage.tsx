import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PageSummary } from "../../electron/contract/document.ts";
import { HeatCanvas } from "../heat/HeatCanvas.tsx";
import { PinMarks } from "../pins/PinMarks.tsx";
import { formatCount } from "../text/format.ts";
import { FindMarks } from "./FindMarks.tsx";
import { Flash } from "./Flash.tsx";
import { TextLayer } from "./TextLayer.tsx";
import type { Drawing } from "./usePageDrawer.ts";

type PdfPageProps = {
  readonly documentId: string;
  readonly page: PageSummary;
  /** The document's text is there. */
  readonly isRead: boolean;
  readonly count: number;
  /** Pixels from the top of the column. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly drawing: Drawing | null;
};

/** Pixels of the largest picture; beyond that a page is drawn smaller and stretched. */
const mostPixels = 24_000_000;
/** Milliseconds that a page must stay before it is drawn: flying over a thousand pages draws none. */
const patience = 60;

/** One page: its picture, and its text laid over it so that it can be selected and read out. */
export const PdfPage = memo(function PdfPage({ documentId, page, isRead, count, top, width, height, drawing }: PdfPageProps) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<"waiting" | "drawn" | "failed">("waiting");
  const number = page.page;

  useEffect(() => {
    const element = canvas.current;
    if (element === null || drawing === null) return;
    const { drawer, cache } = drawing;
    const density = Math.min(window.devicePixelRatio, Math.sqrt(mostPixels / (width * height)));
    const pixelWidth = Math.max(1, Math.round(width * density));
    const pixelHeight = Math.max(1, Math.round(height * density));
    const paint = (bitmap: ImageBitmap): void => {
      element.width = bitmap.width;
      element.height = bitmap.height;
      element.getContext("2d")?.drawImage(bitmap, 0, 0);
    };
    const exact = cache.exact(number, pixelWidth);
    if (exact !== null) {
      paint(exact);
      setState("drawn");
      return;
    }
    const rough = cache.nearest(number, pixelWidth);
    if (rough !== null) paint(rough);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      drawer.draw(number, pixelWidth, pixelHeight, controller.signal).then(
        (bitmap) => {
          cache.put(number, pixelWidth, bitmap);
          if (controller.signal.aborted) return;
          paint(bitmap);
          setState("drawn");
        },
        () => {
          if (!controller.signal.aborted) setState("failed");
        },
      );
    }, patience);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [drawing, number, width, height]);

  const hasText = isRead && !page.flags.includes("no-text");
  const label = t("pages.pageOf", { page: formatCount(number), count: formatCount(count) });
  return (
    <article className="page" aria-label={label} style={{ top, width, height, marginLeft: -width / 2 }} data-page={number}>
      <canvas ref={canvas} className="page-canvas" data-testid="page-canvas" data-state={state} />
      {state === "failed" ? <p className="page-failed">{t("pages.notDrawn", { page: formatCount(number) })}</p> : null}
      {state === "waiting" || !hasText ? null : (
        <>
          <HeatCanvas
            documentId={documentId}
            page={number}
            characters={page.characters}
            scale={width / page.width}
            width={width}
            height={height}
          />
          <PinMarks documentId={documentId} page={number} characters={page.characters} scale={width / page.width} />
          <Flash documentId={documentId} page={number} characters={page.characters} scale={width / page.width} />
          <TextLayer documentId={documentId} page={number} characters={page.characters} scale={width / page.width} />
        </>
      )}
      {hasText ? <FindMarks documentId={documentId} page={number} characters={page.characters} scale={width / page.width} /> : null}
      {page.flags.includes("no-text") ? <p className="visually-hidden">{t("pages.noText")}</p> : null}
    </article>
  );
});
