import { Flame, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Policy } from "../../electron/contract/policies.ts";
import { keptShares, shadeShares } from "../../electron/contract/shades.ts";
import { keptOf } from "../../electron/contract/units.ts";
import { useConversations, useHeat, useSession, useView } from "../app/SessionContext.tsx";
import { Button, IconButton } from "../parts/Button.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { ProgressBar } from "../parts/ProgressBar.tsx";
import { firstWords } from "../text/firstWords.ts";
import { formatCount, formatScore, formatShare } from "../text/format.ts";
import { useProgressWords } from "../text/useProgressWords.ts";
import { wordsOf } from "../text/words.ts";
import { isScored, rankOf, rawShares } from "./heatIndex.ts";
import { type HeatSubject, keptNow } from "./heatStore.ts";

/** Below the pages: what the heat means, what is pointed at, or how to come by it. */
export function HeatBar() {
  const subject = useHeat((state) => state.subject);
  const view = useHeat((state) => state.view);
  if (view === "off" || subject.status === "none" || subject.status === "loading") return null;
  return (
    <div className="heat-bar" data-testid="heat-bar" data-status={subject.status}>
      <HeatBarContent subject={subject} />
    </div>
  );
}

function HeatBarContent({ subject }: { readonly subject: HeatSubject }) {
  const { t } = useTranslation();
  const session = useSession();
  switch (subject.status) {
    case "missing":
      return (
        <>
          <span title={wordsOf(subject.reason)}>{t("heat.missing")}</span>
          <Button className="button-small" onClick={() => void session.heat.read()} title={t("heat.readMeaning")}>
            <Flame aria-hidden="true" size={14} />
            {t("heat.read")}
          </Button>
        </>
      );
    case "reading":
      return <Reading subject={subject} />;
    case "failed":
      return (
        <ProblemText problem={subject.problem}>
          <Button className="button-small" onClick={() => void session.heat.read()}>
            {t("heat.again")}
          </Button>
        </ProblemText>
      );
    case "ready":
      return <Legend subject={subject} />;
    case "none":
    case "loading":
      return null;
  }
}

function Reading({ subject }: { readonly subject: Extract<HeatSubject, { status: "reading" }> }) {
  const { t } = useTranslation();
  const session = useSession();
  const { label, detail, fraction } = useProgressWords(subject.progress, t("progress.starting"));
  return (
    <>
      <ProgressBar label={label} detail={detail} fraction={fraction} testId="heat-progress" />
      <IconButton label={t("heat.stop")} onClick={() => session.heat.stopReading()}>
        <X aria-hidden="true" size={14} />
      </IconButton>
    </>
  );
}

/** The scale in words and colours. While something is pointed at, that stands there instead. */
function Legend({ subject }: { readonly subject: Extract<HeatSubject, { status: "ready" }> }) {
  const { t } = useTranslation();
  const session = useSession();
  const view = useHeat((state) => state.view);
  const scale = useHeat((state) => state.scale);
  const layerHead = useHeat((state) => state.layerHead);
  const pictures = useView((state) => state.kind === "picture");
  const { policy } = subject.importance;
  const shades = view === "importance" && isScored(subject.index);
  const meaning =
    view === "kept"
      ? t("heat.keptMeaning")
      : shades
        ? t(`heat.meanings.${scale}`, { whose: t(`heat.whose.${policy}`) })
        : t("heat.noScores");
  const made = useMadeOtherwise(policy);
  const shares = scale === "raw" ? rawShares : shadeShares;
  return (
    <>
      {layerHead === null ? null : (
        <Button className="button-small" onClick={() => session.heat.choose({ layerHead: null })} title={t("heat.allHeads")}>
          {t("heat.layerHead", { layer: layerHead.layer + 1, head: layerHead.head + 1 })}
          <X aria-hidden="true" size={14} />
        </Button>
      )}
      <div className="heat-says">
        <PointedWords subject={subject} />
        <div className={`heat-legend${pictures ? " on-paper" : ""}`}>
          {shades ? (
            <ul className="heat-scale" aria-label={t("heat.scaleName")}>
              {shares.map((share, index) => (
                <li key={share} className={`heat-text s${index + 1}`} title={t(`heat.share.${scale}`, { share: formatShare(share) })}>
                  <span className={index === 0 || index === shares.length - 1 ? undefined : "visually-hidden"}>
                    {t(`heat.share.${scale}`, { share: formatShare(share) })}
                  </span>
                </li>
              ))}
            </ul>
          ) : null}
          {layerHead === null ? (
            <ul className="heat-marks" aria-label={t("heat.marksName")}>
              {keptShares.map((share, index) => (
                <li key={share}>
                  <span className={`heat-text k${index + 1}`}>{formatShare(share)}</span>
                </li>
              ))}
              <li title={t("budget.meaning")}>{t("heat.ofHeads")}</li>
            </ul>
          ) : (
            <span className="heat-marks">
              <span className="heat-text k3">{t("heat.byThisHead")}</span>
            </span>
          )}
          <span className="heat-meaning">
            {meaning} {made}
          </span>
        </div>
      </div>
    </>
  );
}

/** Says so where the last answer was not made by the policy that is shown; empty where it was. */
function useMadeOtherwise(shown: Policy): string {
  const { t } = useTranslation();
  const figures = useConversations((state) => state.current?.turns.at(-1)?.figures ?? null);
  if (figures === null) return "";
  if (figures.policy === "full") return t("heat.answerKeptAll");
  if (figures.policy === shown && figures.mode === "question") return "";
  const made = t("anotherAnswer.madeWith", { policy: t(`policies.names.${figures.policy}`), mode: t(`modes.short.${figures.mode}`) });
  return t("heat.answerMadeWith", { made });
}

function PointedWords({ subject }: { readonly subject: Extract<HeatSubject, { status: "ready" }> }) {
  const { t } = useTranslation();
  const state = useHeat((heat) => heat);
  const { pointed, granularity } = state;
  const now = keptNow(state);
  if (pointed === null || now === null) return <p className="heat-words" role="status" />;
  const { index } = subject;
  const rank = rankOf(index, pointed.unit);
  const parts = [
    rank === null
      ? t("heat.always")
      : isScored(index)
        ? t("heat.rank", { rank: formatCount(rank), count: index.ranked.length, all: formatCount(index.ranked.length) })
        : null,
    t("heat.kept", {
      kept: formatCount(keptOf(pointed.unit, now.kept, granularity)),
      count: now.layerHeads,
      all: formatCount(now.layerHeads),
    }),
    isScored(index) ? t("heat.score", { score: formatScore(pointed.unit.score) }) : null,
  ];
  return (
    <p className="heat-words" role="status" data-testid="heat-pointed">
      <bdi>{t("heat.quoted", { text: firstWords(pointed.text, 32) })}</bdi> · {parts.filter((part) => part !== null).join(" · ")}
    </p>
  );
}
