import { useEffect, useState } from "react";
import { useShallow } from "zustand/react/shallow";
import type { PageText } from "../../electron/contract/document.ts";
import { useFind, useSession } from "../app/SessionContext.tsx";
import { hitsOnPage, type PageHit } from "./findStore.ts";
import { lineBoxes } from "./lineBoxes.ts";
import { usePageTexts } from "./usePageText.ts";

/** Hits of a page; a stable list as long as they are the same. */
function usePageHits(documentId: string, page: number): readonly PageHit[] {
  const found = useFind(
    useShallow((state) => hitsOnPage(state, documentId, page).map(({ start, end, current }) => `${start} ${end} ${current ? 1 : 0}`)),
  );
  return found.map((hit) => {
    const [start = 0, end = 0, current = 0] = hit.split(" ").map(Number);
    return { page, start, end, current: current === 1 };
  });
}

/** Milliseconds after which a page that was gone to is in view: its mark is to come into view after it, not before. */
const afterPage = 60;

const intoView = (element: HTMLElement | null): void => {
  if (element !== null) setTimeout(() => element.scrollIntoView({ block: "nearest", inline: "nearest" }), afterPage);
};

type FindMarksProps = { readonly documentId: string; readonly page: number; readonly scale: number };

/** Marks over the picture of a page where the text stands that is looked for. */
export function FindMarks({ documentId, page, scale }: FindMarksProps) {
  const session = useSession();
  const texts = usePageTexts(session);
  const hits = usePageHits(documentId, page);
  const [text, setText] = useState<PageText | null>(null);
  const wanted = hits.length > 0;
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    texts.get(documentId, page).then(
      (result) => {
        if (!gone) setText(result);
      },
      // The text view says what is wrong with a page's text.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [texts, documentId, page, wanted]);
  if (!wanted || text === null) return null;
  return (
    <div className="find-marks" aria-hidden="true">
      {hits.flatMap(({ start, end, current }) =>
        lineBoxes(text, start, end).map(({ left, top, right, bottom }, line) => (
          <span
            key={`${start} ${left} ${top}`}
            ref={current && line === 0 ? intoView : undefined}
            className="find-mark"
            data-testid="find-mark"
            data-current={current}
            style={{ left: left * scale, top: top * scale, width: (right - left) * scale, height: (bottom - top) * scale }}
          />
        )),
      )}
    </div>
  );
}

type MarkedTextProps = { readonly documentId: string; readonly page: number; readonly text: string };

/** A page's text with what is looked for marked in it. */
export function MarkedText({ documentId, page, text }: MarkedTextProps) {
  const hits = usePageHits(documentId, page);
  if (hits.length === 0) return text;
  return (
    <>
      {hits.map(({ start, end, current }, index) => (
        <span key={start}>
          {text.slice(hits[index - 1]?.end ?? 0, start)}
          <mark ref={current ? intoView : undefined} data-testid="find-mark" data-current={current}>
            {text.slice(start, end)}
          </mark>
        </span>
      ))}
      {text.slice(hits.at(-1)?.end ?? 0)}
    </>
  );
}
