import { useTranslation } from "react-i18next";
import { type MeterParts, meterParts } from "../prompt/meterParts.ts";
import type { Measured } from "../prompt/promptStore.ts";
import { formatCount } from "../text/format.ts";

type TokenMeterProps = {
  readonly measured: Measured | null;
  /** What to say while there is no measure. */
  readonly unmeasured: string;
  readonly contextLength: number | null;
  readonly measuring: boolean;
};

const partNames = ["document", "question", "other", "room"] as const satisfies readonly (keyof MeterParts)[];

/** What would be sent, against what the model holds: always in view before sending. */
export function TokenMeter({ measured, unmeasured, contextLength, measuring }: TokenMeterProps) {
  const { t } = useTranslation();
  if (measured === null) {
    return (
      <div className="meter" data-testid="token-meter">
        <p className="meter-words">
          {unmeasured}
          {contextLength === null ? null : <span> · {t("meter.context", { length: formatCount(contextLength) })}</span>}
        </p>
        <div className="meter-track" />
      </div>
    );
  }
  const { measure } = measured;
  const parts = meterParts(measured);
  const sum = measure.promptTokens + measure.answerRoom;
  const whole = Math.max(measure.contextLength, sum);
  const share = (tokens: number): string => `${(100 * tokens) / whole}%`;
  const words = partNames.filter((name) => parts[name] > 0).map((name) => t(`meter.parts.${name}`, { tokens: formatCount(parts[name]) }));
  return (
    <div className="meter" data-testid="token-meter" data-fits={measure.fits} aria-busy={measuring} title={t("meter.meaning")}>
      <p className="meter-words">
        <span className="meter-sum">{t("meter.sum", { sum: formatCount(sum), length: formatCount(measure.contextLength) })}</span>
        {measure.fits ? null : <strong className="meter-over"> {t("meter.over")}</strong>}
        <span>: {words.join(" + ")}</span>
      </p>
      <div className="meter-track" aria-hidden="true">
        <div className="meter-document" style={{ width: share(parts.document) }} />
        <div className="meter-other" style={{ width: share(parts.other) }} />
        <div className="meter-question" style={{ width: share(parts.question) }} />
        <div className="meter-room" style={{ width: share(parts.room) }} />
        {measure.fits ? null : <div className="meter-limit" style={{ left: share(measure.contextLength) }} />}
      </div>
    </div>
  );
}
