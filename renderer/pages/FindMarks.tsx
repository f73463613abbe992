import { useShallow } from "zustand/react/shallow";
import { useFind } from "../app/SessionContext.tsx";
import { bringIntoViewSoon } from "./bringIntoView.ts";
import { hitsOnPage, type PageHit } from "./findStore.ts";
import { LineFrames } from "./LineFrames.tsx";
import { usePatientText } from "./usePageText.ts";

/** Hits of a page; a stable list as long as they are the same. */
export function usePageHits(documentId: string, page: number): readonly PageHit[] {
  const found = useFind(
    useShallow((state) => hitsOnPage(state, documentId, page).map(({ start, end, current }) => `${start} ${end} ${current ? 1 : 0}`)),
  );
  return found.map((hit) => {
    const [start = 0, end = 0, current = 0] = hit.split(" ").map(Number);
    return { page, start, end, current: current === 1 };
  });
}

const intoView = (element: HTMLElement | null): void => {
  if (element !== null) bringIntoViewSoon(() => element);
};

type FindMarksProps = { readonly documentId: string; readonly page: number; readonly characters: number; readonly scale: number };

/** Marks over the picture of a page where the text stands that is looked for. */
export function FindMarks({ documentId, page, characters, scale }: FindMarksProps) {
  const hits = usePageHits(documentId, page);
  const text = usePatientText(documentId, page, characters);
  if (hits.length === 0 || text === null) return null;
  return (
    <div className="find-marks">
      {hits.map(({ start, end, current }) => (
        <LineFrames
          key={start}
          boxes={text.boxes}
          start={start}
          end={end}
          scale={scale}
          className="find-mark"
          testId="find-mark"
          current={current}
          first={current ? intoView : undefined}
        />
      ))}
    </div>
  );
}

type FoundTextProps = { readonly text: string; readonly current: boolean };

/** A hit in a page's text. */
export function FoundText({ text, current }: FoundTextProps) {
  return (
    <mark ref={current ? intoView : undefined} data-testid="find-mark" data-current={current}>
      {text}
    </mark>
  );
}
