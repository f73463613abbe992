import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Importance } from "../../electron/contract/heatmap.ts";
import { type TopPassage, topPassages } from "../../electron/contract/topPassages.ts";
import { useDocuments, useHeat, useSession } from "../app/SessionContext.tsx";
import { type HeatIndex, indexHeat } from "../heat/heatIndex.ts";
import { inSlices } from "../heat/inSlices.ts";
import { formatCount } from "../text/format.ts";

const most = 12;

/** The sentences that matter most for the answer, with the way to each. */
export function PassagesSection({ importance }: { readonly importance: Importance }) {
  const { t } = useTranslation();
  const session = useSession();
  const passages = usePassages(importance);
  const open = useDocuments((state) => state.open);
  const several = importance.documents.length > 1;
  const go = (passage: TopPassage): void => {
    const { documentId, page, start, end } = passage;
    session.goTo({ documentId, page, range: { start, end } });
  };
  return (
    <section className="inspector-section">
      <h3>{t("inspector.passages")}</h3>
      {passages !== null && passages.length === 0 ? <p className="inspector-empty">{t("heat.noScores")}</p> : null}
      <ol className="plain-list passage-list" data-testid="passages">
        {(passages ?? []).map((passage) => (
          <li key={`${passage.documentId} ${passage.page} ${passage.start}`}>
            <button type="button" className="passage" onClick={() => go(passage)}>
              <span className="passage-page">
                {t("inspector.page", { page: formatCount(passage.page) })}
                {several ? ` · ${open[passage.documentId]?.name ?? ""}` : ""}
              </span>
              <span className="passage-text" dir="auto">
                {passage.text}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Null while they are looked for. */
function usePassages(importance: Importance): readonly TopPassage[] | null {
  const index = useHeat(({ subject }) => (subject.status === "ready" ? subject.index : null));
  const [passages, setPassages] = useState<readonly TopPassage[] | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const show = (sentences: HeatIndex | null): void => {
      if (sentences !== null && !stop.signal.aborted) setPassages(topPassages(sentences.pages.values(), most));
    };
    if (index?.granularity === "sentence") show(index);
    else void inSlices(indexHeat(importance, "sentence"), stop.signal).then(show);
    return () => stop.abort();
  }, [importance, index]);
  return passages;
}
