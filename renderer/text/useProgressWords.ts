import { useTranslation } from "react-i18next";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import { formatBytes, formatCount, formatEstimate, formatPercent } from "./format.ts";

export type ProgressWords = { readonly label: string; readonly detail: string; readonly fraction: number | null };

/** What a progress event means, in words. Writing has no known end: its length is the model's to say. */
export function useProgressWords(progress: ProgressEvent | null, before: string): ProgressWords {
  const { t } = useTranslation();
  if (progress === null) return { label: before, detail: "", fraction: null };
  const { stage, fraction, done, total, secondsLeft } = progress;
  const label = t(`stages.${stage}`);
  // These are one step each: there is no part of the way to tell of.
  if (stage === "wait" || stage === "scoring" || stage === "eviction") return { label, detail: "", fraction: null };
  if (stage === "decode") return { label, detail: t("progress.tokens", { count: done, done: formatCount(done) }), fraction: null };
  const parts = [formatPercent(fraction)];
  if ((stage === "restore" || stage === "prefill" || stage === "tokenise") && total > 0) {
    parts.push(t("progress.tokensOf", { count: total, done: formatCount(done), total: formatCount(total) }));
  }
  if (stage === "extract" && total > 0)
    parts.push(t("progress.pagesOf", { count: total, done: formatCount(done), total: formatCount(total) }));
  if (stage === "recognise" && total > 0) {
    // In hundredths of a page.
    const pages = Math.round(total / 100);
    parts.push(t("progress.pagesOf", { count: pages, done: formatCount(Math.floor(done / 100)), total: formatCount(pages) }));
  }
  if (stage === "download") parts.push(t("progress.bytesOf", { done: formatBytes(done), total: formatBytes(total) }));
  if (secondsLeft !== null && fraction < 1) parts.push(t("progress.left", { time: formatEstimate(secondsLeft) }));
  return { label, detail: parts.join(" · "), fraction };
}
