import { useTranslation } from "react-i18next";
import type { PromptMeasure } from "../../electron/contract/conversation.ts";
import { formatCount } from "../text/format.ts";

type TokenMeterProps = { readonly measure: PromptMeasure | null; readonly contextLength: number | null; readonly measuring: boolean };

/** Share of the context in percent, for a bar's part. */
function share(tokens: number, measure: PromptMeasure): string {
  const whole = Math.max(measure.contextLength, measure.promptTokens + measure.answerRoom);
  return `${(100 * tokens) / whole}%`;
}

/** What would be sent, against what the model holds: always in view before sending. */
export function TokenMeter({ measure, contextLength, measuring }: TokenMeterProps) {
  const { t } = useTranslation();
  if (measure === null) {
    const words = contextLength === null ? t("meter.noModel") : measuring ? t("meter.counting") : t("meter.unknown");
    return (
      <div className="meter" data-testid="token-meter">
        <p className="meter-words">
          {words}
          {contextLength === null ? null : <span> {t("meter.of", { length: formatCount(contextLength) })}</span>}
        </p>
        <div className="meter-track" />
      </div>
    );
  }
  const numbers = {
    document: formatCount(measure.documentTokens),
    question: formatCount(measure.questionTokens),
    other: formatCount(measure.otherTokens),
    room: formatCount(measure.answerRoom),
    length: formatCount(measure.contextLength),
  };
  return (
    <div className="meter" data-testid="token-meter" data-fits={measure.fits} aria-busy={measuring} title={t("meter.meaning", numbers)}>
      <p className="meter-words">
        <span className="meter-sum">{t("meter.sum", numbers)}</span>
        <span> {t("meter.of", numbers)}</span>
        {measure.fits ? null : <strong className="meter-over"> {t("meter.over")}</strong>}
        <span className="visually-hidden"> {t("meter.meaning", numbers)}</span>
      </p>
      <div className="meter-track" aria-hidden="true">
        <div className="meter-document" style={{ width: share(measure.documentTokens, measure) }} />
        <div className="meter-other" style={{ width: share(measure.otherTokens, measure) }} />
        <div className="meter-question" style={{ width: share(measure.questionTokens, measure) }} />
        <div className="meter-room" style={{ width: share(measure.answerRoom, measure) }} />
        {measure.fits ? null : <div className="meter-limit" style={{ left: share(measure.contextLength, measure) }} />}
      </div>
    </div>
  );
}
