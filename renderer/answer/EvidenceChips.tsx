import { useTranslation } from "react-i18next";
import type { Evidence } from "../../electron/contract/evidence.ts";
import { useDocuments, useSession } from "../app/SessionContext.tsx";
import { formatCount } from "../text/format.ts";

/** The sentences that an answer's policy foresaw to matter most, with the way to each. */
export function EvidenceChips({ evidence }: { readonly evidence: readonly Evidence[] }) {
  const { t } = useTranslation();
  if (evidence.length === 0) return null;
  const several = evidence.some(({ documentId }) => documentId !== evidence[0]?.documentId);
  const alike = ({ documentId, page }: Evidence) =>
    evidence.filter((other) => other.documentId === documentId && other.page === page).length > 1;
  return (
    <div className="evidence" data-testid="evidence">
      <span className="evidence-name" title={t("evidence.meaning")}>
        {t("evidence.name")}
      </span>
      <ul className="evidence-list" aria-label={t("evidence.name")}>
        {evidence.map((sentence) => (
          <EvidenceChip
            key={`${sentence.documentId} ${sentence.page} ${sentence.start}`}
            sentence={sentence}
            named={several}
            quoted={alike(sentence)}
          />
        ))}
      </ul>
    </div>
  );
}

type EvidenceChipProps = {
  readonly sentence: Evidence;
  /** Whether the chip says which document it is of. */
  readonly named: boolean;
  /** Whether the chip shows its first words: where another is of the same page. */
  readonly quoted: boolean;
};

function EvidenceChip({ sentence: { documentId, page, start, end, text }, named, quoted }: EvidenceChipProps) {
  const { t } = useTranslation();
  const session = useSession();
  const name = useDocuments((state) => state.open[documentId]?.name);
  const place = t("evidence.chip", { page: formatCount(page) });
  const document = named ? name : undefined;
  const chip = document === undefined ? place : t("evidence.chipOf", { name: document, page: formatCount(page) });
  const words = t(name === undefined ? "evidence.closed" : "evidence.show", { chip, sentence: text });
  return (
    <li>
      <button
        type="button"
        className="evidence-chip"
        aria-label={words}
        title={words}
        disabled={name === undefined}
        onClick={() => session.goTo({ documentId, page, range: { start, end } })}
      >
        {document === undefined ? null : (
          <>
            <span className="truncate">{document}</span>,&nbsp;
          </>
        )}
        <span className="evidence-page">{quoted ? `${place}:` : place}</span>
        {quoted ? (
          <span className="truncate evidence-words" dir="auto">
            {text}
          </span>
        ) : null}
      </button>
    </li>
  );
}
