import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Importance } from "../../electron/contract/heatmap.ts";
import { useDocuments, useHeat, useSession } from "../app/SessionContext.tsx";
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
  const keptTokens = preview?.keptTokens ?? importance.keptTokens;
  const most = pages.reduce((largest, page) => Math.max(largest, page.keptShare), 0);
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
        <ThinWords pages={pages} />
      </p>
      {pages.length < 2 ? null : (
        <ul className="plain-list coverage-list" aria-label={t("inspector.byPage")} tabIndex={0}>
          {pages.map((page) => (
            <PageBar key={`${page.documentId} ${page.page}`} page={page} most={most} />
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

function ThinWords({ pages }: { readonly pages: readonly PageCoverage[] }) {
  const { t } = useTranslation();
  const thin = thinPages(pages);
  if (thin.length === 0) return null;
  const named = thin
    .slice(0, mostNamed)
    .map(({ page }) => formatCount(page))
    .join(", ");
  const more = thin.length - mostNamed;
  return more > 0 ? t("inspector.thinMore", { pages: named, count: more }) : t("inspector.thin", { pages: named, count: thin.length });
}

function PageBar({ page: { documentId, page, keptShare }, most }: { readonly page: PageCoverage; readonly most: number }) {
  const { t } = useTranslation();
  const session = useSession();
  const words = t("inspector.pageKept", { page: formatCount(page), share: formatShare(keptShare) });
  return (
    <li>
      <button type="button" className="coverage-page" title={words} onClick={() => session.goTo({ documentId, page })}>
        <span className="coverage-number">{t("inspector.page", { page: formatCount(page) })}</span>
        <span className="coverage-track" aria-hidden="true">
          <span className="coverage-bar" style={{ width: `${most === 0 ? 0 : (100 * keptShare) / most}%` }} />
        </span>
        <span className="coverage-share">{formatShare(keptShare)}</span>
      </button>
    </li>
  );
}
