import { useTranslation } from "react-i18next";
import type { DocumentSummary } from "../../electron/contract/document.ts";
import { useDocuments } from "../app/SessionContext.tsx";
import { TextPage } from "./TextPages.tsx";

/** The extracted text of the page in view, beside its picture: what the model reads of it. */
export function BesideText({ summary }: { readonly summary: DocumentSummary }) {
  const { t } = useTranslation();
  const number = useDocuments((state) => state.pageInView[summary.id] ?? 1);
  const page = summary.pages[number - 1];
  if (page === undefined) return null;
  return (
    <aside className="beside-text" aria-label={t("pages.beside")} tabIndex={0}>
      <TextPage key={number} documentId={summary.id} page={page} count={summary.pages.length} />
    </aside>
  );
}
