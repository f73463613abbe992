import { X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentSummary } from "../../electron/contract/document.ts";
import { messagesOf } from "../../electron/contract/said.ts";
import { useConversations, useDocuments, useSession, useView } from "../app/SessionContext.tsx";
import { comingOutline, type ShownDocument, shownOutline } from "../documents/documentsStore.ts";
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
  const conversationId = useConversations((state) => state.current?.id ?? null);
  const summary = useDocuments((state) => (state.shownId === null ? undefined : state.open[state.shownId]));
  const outline = useDocuments((state) => comingOutline(state, conversationId));
  const shown = useMemo(() => summary ?? (outline === null ? undefined : shownOutline(outline)), [summary, outline]);
  // Only a document that is about to come keeps the place free.
  const coming = useDocuments(
    (state) =>
      state.shownId !== null && !state.openings.some((opening) => opening.documentId === state.shownId && opening.status !== "reading"),
  );
  return (
    <section className="pages" aria-label={t("panes.pages")} data-pane="pages" tabIndex={-1}>
      <Openings />
      {shown === undefined ? (
        coming ? (
          <div className="pages-waiting" />
        ) : (
          <EmptyDesk />
        )
      ) : (
        <DocumentView key={shown.id} shown={shown} summary={summary ?? null} />
      )}
    </section>
  );
}

type DocumentViewProps = {
  readonly shown: ShownDocument;
  /** Null while the text is read: there are pictures, and nothing that text is needed for. */
  readonly summary: DocumentSummary | null;
};

function DocumentView({ shown, summary }: DocumentViewProps) {
  const session = useSession();
  const kind = useView((state) => state.kind);
  const beside = useView((state) => state.beside);
  const { pageInView } = session.stores.documents.getState();
  const [firstPage] = useState(pageInView[shown.id] ?? 1);
  useEffect(() => session.documents.pageSeen(shown.id, firstPage), [session, shown.id, firstPage]);
  const column = useRef<HTMLDivElement>(null);
  useSelectedPassages(column, shown.id);
  const pictures = shown.kind === "pdf" && kind === "picture";
  return (
    <>
      <PageToolbar shown={shown} pictures={pictures} isRead={summary !== null} />
      {summary === null ? null : (
        <>
          <FindBar />
          <Notices summary={summary} />
          <Recognition summary={summary} />
        </>
      )}
      <div className="pages-beside" ref={column}>
        {pictures ? (
          <>
            <PdfPages shown={shown} isRead={summary !== null} />
            {beside && summary !== null ? <BesideText summary={summary} /> : null}
          </>
        ) : summary === null ? (
          <div className="pages-waiting" />
        ) : (
          <TextPages summary={summary} />
        )}
      </div>
      {summary === null ? null : (
        <>
          <PinBubble />
          <PinAnnouncement />
          <HeatBar />
        </>
      )}
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
