import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Importance } from "../../electron/contract/heatmap.ts";
import { useConversations, useDocuments, useHeat, useSession } from "../app/SessionContext.tsx";
import { coverageOf, type PageCoverage, thinPages } from "../heat/coverage.ts";
import { formatCount, formatShare } from "../text/format.ts";

/** Thin pages that are named. */
const mostNamed = 3;

/** How much of what was read is kept: in a sentence, and page by page. */
export function CoverageSection({ importance }: { readonly importance: Importance }) {
  const { t } = useTranslation();
  const preview = useHeat((state) => (state.layerHead === null ? state.preview : null));
  const layerHead = useHeat((state) => state.layerHead);
  const kept = preview?.kept ?? importance.kept;
  const layerHeads = layerHead === null ? importance.layers * importance.heads : 1;
  const pages = useMemo(() => coverageOf(importance.parts, kept, layerHeads), [importance, kept, layerHeads]);
  const several = importance.documents.length > 1;
  const keptTokens = preview?.keptTokens ?? importance.keptTokens;
  return (
    <section className="inspector-section">
      <h3>{t("inspector.coverage")}</h3>
      <p data-testid="coverage">
        <ReadWords pages={pages} />{" "}
        {keptTokens >= importance.promptTokens
          ? t("inspector.allKept")
          : t("inspector.partKept", {
              share: formatShare(keptTokens / importance.promptTokens),
              kept: formatCount(Math.round(keptTokens)),
            })}{" "}
        <ThinWords pages={pages} several={several} /> <OfThisAnswer keptTokens={keptTokens} promptTokens={importance.promptTokens} />
      </p>
      {pages.length < 2 ? null : (
        <ul className="plain-list coverage-list" aria-label={t("inspector.byPage")} tabIndex={0} data-several={several}>
          {pages.map((page) => (
            <PageBar key={`${page.documentId} ${page.page}`} page={page} several={several} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ReadWords({ pages }: { readonly pages: readonly PageCoverage[] }) {
  const { t } = useTranslation();
  const open = useDocuments((state) => state.open);
  const ids = [...new Set(pages.map(({ documentId }) => documentId))];
  const all = ids.reduce((sum, id) => sum + (open[id]?.pages.length ?? 0), 0);
  if (pages.length === 0) return t("inspector.noPages");
  if (pages.length >= all) return t("inspector.allRead", { count: pages.length, pages: formatCount(pages.length) });
  return t("inspector.someRead", { count: all, pages: formatCount(pages.length), all: formatCount(all) });
}

function ThinWords({ pages, several }: { readonly pages: readonly PageCoverage[]; readonly several: boolean }) {
  const { t } = useTranslation();
  const open = useDocuments((state) => state.open);
  const thin = thinPages(pages);
  if (thin.length === 0) return null;
  const named = thin
    .slice(0, mostNamed)
    .map(({ documentId, page }) => `${formatCount(page)}${several ? ` (${open[documentId]?.name ?? ""})` : ""}`)
    .join(", ");
  const more = thin.length - mostNamed;
  return more > 0 ? t("inspector.thinMore", { pages: named, count: more }) : t("inspector.thin", { pages: named, count: thin.length });
}

type PageBarProps = { readonly page: PageCoverage; readonly several: boolean };

function PageBar({ page: { documentId, page, keptShare }, several }: PageBarProps) {
  const { t } = useTranslation();
  const session = useSession();
  const name = useDocuments((state) => (several ? state.open[documentId]?.name : undefined));
  const own = t("inspector.pageKept", { page: formatCount(page), share: formatShare(keptShare) });
  const words = name === undefined ? own : `${name}: ${own}`;
  return (
    <li>
      <button type="button" className="coverage-page" title={words} onClick={() => session.goTo({ documentId, page })}>
        <span className="coverage-number truncate">
          {t("inspector.page", { page: formatCount(page) })}
          {name === undefined ? "" : ` · ${name}`}
        </span>
        <span className="coverage-track" aria-hidden="true">
          <span className="coverage-bar" style={{ width: `${100 * keptShare}%` }} />
        </span>
        <span className="coverage-share">{formatShare(keptShare)}</span>
      </button>
    </li>
  );
}

type OfThisAnswerProps = { readonly keptTokens: number; readonly promptTokens: number };

/** Where the slider stands elsewhere than it did for the answer: what that one kept. */
function OfThisAnswer({ keptTokens, promptTokens }: OfThisAnswerProps) {
  const { t } = useTranslation();
  const figures = useConversations((state) => state.current?.turns.at(-1)?.figures ?? null);
  if (figures === null) return null;
  const kept = figures.keptTokens ?? promptTokens;
  if (Math.round(kept) === Math.round(Math.min(keptTokens, promptTokens))) return null;
  return kept >= promptTokens ? t("inspector.answerKeptAll") : t("inspector.answerKept", { kept: formatCount(Math.round(kept)) });
}
