import type { TFunction } from "i18next";
import { ChevronDown, ChevronUp } from "lucide-react";
import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AnswerFigures } from "../../electron/contract/conversation.ts";
import { IconButton } from "../parts/Button.tsx";
import { formatBytes, formatCount, formatDuration, formatRate } from "../text/format.ts";
import { briefOf, choosingOf, type Part, readingOf, stagesOf } from "./figuresParts.ts";

type FiguresLineProps = {
  readonly figures: AnswerFigures;
  /** Draws what the answer was chosen by, policy and mode, where that can be changed in place. */
  readonly choice?: (words: string) => ReactNode;
};

/** What the answer cost: budget, mode and speed in one quiet line, and behind it all there is. Every number was measured. */
export function FiguresLine({ figures, choice }: FiguresLineProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  // Under the last answer they would open out of sight.
  useEffect(() => {
    if (open) list.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  const parts = partsOf(figures, t);
  const wordsOf = ({ name, words, brief }: Part): ReactNode => {
    if (name !== "policy") return brief ?? words;
    const made = t("anotherAnswer.madeWith", { policy: words, mode: t(`modes.short.${figures.mode}`) });
    return choice === undefined ? made : choice(made);
  };
  return (
    <div className="figures">
      <div className="figures-line">
        <p className="figures-brief">
          {briefOf(parts).map((part, index, all) => (
            <Fragment key={part.name}>
              <span title={part.meaning} data-part={part.name}>
                {wordsOf(part)}
                {index === all.length - 1 ? "" : "\u00a0·"}
              </span>{" "}
            </Fragment>
          ))}
        </p>
        <IconButton label={t("figures.all")} aria-expanded={open} aria-controls={listId} onClick={() => setOpen(!open)}>
          {open ? <ChevronUp aria-hidden="true" size={14} /> : <ChevronDown aria-hidden="true" size={14} />}
        </IconButton>
      </div>
      <ul id={listId} ref={list} className="plain-list figures-all" hidden={!open}>
        {parts.map((part) => (
          <li key={part.name}>
            <span className="figure-words">{part.words}</span>
            <span className="figure-meaning">{part.meaning}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The speed first where the cache is as usual; what was kept of it first where it was shrunk. */
function partsOf(figures: AnswerFigures, t: TFunction): readonly Part[] {
  const { keptTokens } = figures;
  const tokensRead = figures.cachedTokens + figures.evaluatedTokens;
  if (figures.stopReason === "cancelled" && tokensRead < figures.promptTokens) return stoppedReading(figures, tokensRead, t);
  const [rate, first] = speedOf(figures, t);
  const prompt: Part = {
    name: "prompt",
    words: t(keptTokens === null ? "figures.prompt" : "figures.read", { tokens: formatCount(figures.promptTokens) }),
    meaning: t(figures.restoredTokens > 0 ? "figures.promptMeaningRestored" : "figures.promptMeaning", {
      document: formatCount(figures.documentTokens),
      cached: formatCount(figures.cachedTokens - figures.restoredTokens),
      restored: formatCount(figures.restoredTokens),
      read: formatCount(figures.evaluatedTokens),
      rate: formatRate(figures.prefillTokensPerSecond),
    }),
  };
  const read = [prompt, ...readingOf(figures, t)];
  const cache = keptTokens === null ? fullCacheOf(figures, t) : keptCacheOf(figures, keptTokens, t);
  return keptTokens === null ? [...rate, ...read, ...first, ...cache] : [...read, ...cache, ...rate, ...first];
}

/** Stopped while the prompt was read: how far that came, and the cache that it took. */
function stoppedReading(figures: AnswerFigures, tokensRead: number, t: TFunction): readonly Part[] {
  const stopped: Part = {
    name: "stopped",
    words: t("figures.stopped", { read: formatCount(tokensRead), tokens: formatCount(figures.promptTokens) }),
    meaning: t("figures.stoppedMeaning"),
  };
  return tokensRead === 0 ? [stopped] : [stopped, ...cacheOf(figures, t)];
}

/** Stopped before its first word, there is no speed of writing and no first word to tell of. */
function speedOf(figures: AnswerFigures, t: TFunction): readonly [readonly Part[], readonly Part[]] {
  if (figures.answerTokens === 0) return [[], []];
  const rate: Part = {
    name: "rate",
    words: t("figures.rate", { rate: formatRate(figures.decodeTokensPerSecond) }),
    meaning: t("figures.rateMeaning", { tokens: formatCount(figures.answerTokens), time: formatDuration(figures.timings.decodeMs) }),
  };
  const first: Part = {
    name: "first",
    words: t("figures.first", { time: formatDuration(figures.timings.firstTokenMs) }),
    meaning: t("figures.firstMeaning"),
  };
  return [[rate], [first]];
}

/** Nothing where no cache was allocated. */
function cacheOf(figures: AnswerFigures, t: TFunction): readonly Part[] {
  if (figures.keptCacheBytes === 0) return [];
  const words = t("figures.cache", { size: formatBytes(figures.keptCacheBytes) });
  return [{ name: "cache", words, meaning: t("figures.cacheMeaning", { type: figures.kvType }) }];
}

/** Says of a budget that covered the prompt that it had no effect. */
function fullCacheOf(figures: AnswerFigures, t: TFunction): readonly Part[] {
  const { budget, policy } = figures;
  if (budget === "full" || policy !== "full") return cacheOf(figures, t);
  const words = t("figures.whole", { budget: formatCount(budget) });
  return [...cacheOf(figures, t), { name: "whole", words, meaning: t("figures.wholeMeaning") }];
}

function keptCacheOf(figures: AnswerFigures, keptTokens: number, t: TFunction): readonly Part[] {
  const kept = formatCount(keptTokens);
  const policy = t(`policies.names.${figures.policy}`);
  return [
    {
      name: "kept",
      words: t("figures.kept", { kept }),
      brief: t("figures.keptBrief", { kept }),
      meaning: t("figures.keptMeaning", {
        kept,
        tokens: formatCount(figures.promptTokens),
        policy,
        stages: stagesOf(figures, t),
      }),
    },
    sizesOf(figures, t),
    { name: "policy", words: policy, meaning: t("policies.title") },
    ...choosingOf(figures, t),
  ];
}

/** The cache before and after; one size where there never was a larger one, as with windows. */
function sizesOf({ fullCacheBytes, keptCacheBytes, kvType }: AnswerFigures, t: TFunction): Part {
  const [full, kept] = [formatBytes(fullCacheBytes), formatBytes(keptCacheBytes)];
  if (full === kept)
    return { name: "cache", words: t("figures.cache", { size: kept }), meaning: t("figures.sameMeaning", { type: kvType }) };
  return { name: "cache", words: t("figures.shrunk", { full, kept }), meaning: t("figures.shrunkMeaning", { type: kvType }) };
}
