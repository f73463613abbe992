import { useTranslation } from "react-i18next";
import type { AnswerFigures } from "../../electron/contract/conversation.ts";
import { formatBytes, formatCount, formatDuration, formatRate } from "../text/format.ts";

/** What the answer cost, in one quiet line; every number was measured. */
export function FiguresLine({ figures }: { readonly figures: AnswerFigures }) {
  const { t } = useTranslation();
  // Stopped before its first word: there is no speed of writing and no first word to tell of.
  const wrote = figures.answerTokens > 0;
  const parts: { readonly name: string; readonly words: string; readonly meaning: string; readonly shown: boolean }[] = [
    {
      name: "rate",
      words: t("figures.rate", { rate: formatRate(figures.decodeTokensPerSecond) }),
      meaning: t("figures.rateMeaning", { tokens: formatCount(figures.answerTokens), time: formatDuration(figures.timings.decodeMs) }),
      shown: wrote,
    },
    {
      name: "prompt",
      words: t("figures.prompt", { tokens: formatCount(figures.promptTokens) }),
      meaning: t("figures.promptMeaning", {
        document: formatCount(figures.documentTokens),
        cached: formatCount(figures.cachedTokens),
        read: formatCount(figures.evaluatedTokens),
        rate: formatRate(figures.prefillTokensPerSecond),
      }),
      shown: true,
    },
    {
      name: "first",
      words: t("figures.first", { time: formatDuration(figures.timings.firstTokenMs) }),
      meaning: t("figures.firstMeaning"),
      shown: wrote,
    },
    {
      name: "cache",
      words: t("figures.cache", { size: formatBytes(figures.keptCacheBytes) }),
      meaning: t("figures.cacheMeaning", { type: figures.kvType }),
      shown: true,
    },
  ];
  return (
    <p className="figures">
      {parts
        .filter((part) => part.shown)
        .map((part, index) => (
          <span key={part.name} title={part.meaning}>
            {index === 0 ? "" : " · "}
            {part.words}
          </span>
        ))}
    </p>
  );
}
