import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { linesOf } from "../../electron/contract/boxes.ts";
import type { Pin } from "../../electron/contract/pin.ts";
import { useConversations } from "../app/SessionContext.tsx";
import { usePatientText } from "../pages/usePageText.ts";

const noPins: readonly Pin[] = [];

/** The pinned passages of a page, in its order. */
export function usePagePins(documentId: string, page: number): readonly Pin[] {
  const pins = useConversations((state) => state.current?.pins ?? noPins);
  return useMemo(() => {
    const own = pins.filter((pin) => pin.documentId === documentId && pin.page === page);
    return own.length === 0 ? noPins : own.sort((one, other) => one.start - other.start);
  }, [pins, documentId, page]);
}

type PinMarksProps = { readonly documentId: string; readonly page: number; readonly characters: number; readonly scale: number };

/** A line along each pinned passage on the picture of a page. */
export function PinMarks({ documentId, page, characters, scale }: PinMarksProps) {
  const { t } = useTranslation();
  const pins = usePagePins(documentId, page);
  const text = usePatientText(documentId, page, characters);
  if (pins.length === 0 || text === null) return null;
  return (
    <div className="pin-marks" role="img" aria-label={t("pins.onPage", { count: pins.length })}>
      {pins.flatMap(({ start, end }) =>
        linesOf(text.boxes, start, end).map(({ left, top, right, bottom }) => (
          <span
            key={`${start} ${left} ${top}`}
            className="pin-mark"
            data-testid="pin-mark"
            style={{ left: left * scale, top: top * scale, width: (right - left) * scale, height: (bottom - top) * scale }}
          />
        )),
      )}
    </div>
  );
}
