import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentSummary } from "../../electron/contract/document.ts";
import { messagesOf } from "../../electron/contract/said.ts";
import { useDocuments, useSession, useView } from "../app/SessionContext.tsx";
import { EmptyDesk } from "../documents/EmptyDesk.tsx";
import { Openings } from "../documents/Openings.tsx";
import { Recognition } from "../documents/Recognition.tsx";
import { HeatBar } from "../heat/HeatBar.tsx";
import { IconButton } from "../parts/Button.tsx";
import { PinAnnouncement, PinBubble } from "../pins/PinButtons.tsx";
import { useSelectedPassages } from "../pins/useSelectedPassages.ts";
import { wordsOf } from "../text/words.ts";
import { BesideText } from "./BesideText.tsx";
import { FindBar } from "./FindBar.tsx";
import { PageToolbar } from "./PageToolbar.tsx";
import { PdfPages } from "./PdfPages.tsx";
import { TextPages } from "./TextPages.tsx";

/** The document in the middle, or what there is to say when there is none. */
export function PagesPane() {
  const { t } = useTranslation();
  const summary = useDocuments((state) => (state.shownId === null ? undefined : state.open[state.shownId]));
  // Only a document that is about to come keeps the place free.
  const coming = useDocuments(
    (state) =>
      state.shownId !== null && !state.openings.some((opening) => opening.documentId === state.shownId && opening.status !== "reading"),
  );
  return (
    <section className="pages" aria-label={t("panes.pages")} data-pane="pages" tabIndex={-1}>
      <Openings />
      {summary === undefined ? (
        coming ? (
          <div className="pages-waiting" />
        ) : (
          <EmptyDesk />
        )
      ) : (
        <DocumentView key={summary.id} summary={summary} />
      )}
    </section>
  );
}

function DocumentView({ summary }: { readonly summary: DocumentSummary }) {
  const session = useSession();
  const kind = useView((state) => state.kind);
  const beside = useView((state) => state.beside);
  const { pageInView } = session.stores.documents.getState();
  const [firstPage] = useState(pageInView[summary.id] ?? 1);
  useEffect(() => session.documents.pageSeen(summary.id, firstPage), [session, summary.id, firstPage]);
  const column = useRef<HTMLDivElement>(null);
  useSelectedPassages(column, summary.id);
  const pictures = summary.kind === "pdf" && kind === "picture";
  return (
    <>
      <PageToolbar summary={summary} pictures={pictures} />
      <FindBar />
      <Notices summary={summary} />
      <Recognition summary={summary} />
      <div className="pages-beside" ref={column}>
        {pictures ? (
          <>
            <PdfPages summary={summary} />
            {beside ? <BesideText summary={summary} /> : null}
          </>
        ) : (
          <TextPages summary={summary} />
        )}
      </div>
      <PinBubble />
      <PinAnnouncement />
      <HeatBar />
    </>
  );
}

function Notices({ summary }: { readonly summary: DocumentSummary }) {
  const { t } = useTranslation();
  const [hidden, setHidden] = useState(false);
  if (hidden || summary.notices.length === 0) return null;
  return (
    <div className="notices">
      <ul className="plain-list">
        {messagesOf(summary).map((notice) => (
          <li key={notice.message} data-testid="document-notice">
            {wordsOf(notice)}
          </li>
        ))}
      </ul>
      <IconButton label={t("common.dismiss")} onClick={() => setHidden(true)}>
        <X aria-hidden="true" size={14} />
      </IconButton>
    </div>
  );
}
