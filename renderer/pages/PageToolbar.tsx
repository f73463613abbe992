import { ChevronLeft, ChevronRight, Columns2, FileText, Image, Minus, MoveHorizontal, Plus, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useConversations, useDocuments, useSession, useView } from "../app/SessionContext.tsx";
import type { ShownDocument } from "../documents/documentsStore.ts";
import { HeatMenu } from "../heat/HeatMenu.tsx";
import { Button, IconButton } from "../parts/Button.tsx";
import { PinCommand } from "../pins/PinButtons.tsx";
import { formatCount, formatScale } from "../text/format.ts";
import { withZoomStep } from "./viewStore.ts";
import { defaultZoom, fixedZoom, largestZoom, smallestZoom } from "./zoom.ts";

type PageToolbarProps = {
  readonly shown: ShownDocument;
  readonly pictures: boolean;
  /** Its text is there: to be searched, shaded, pinned and shown. */
  readonly isRead: boolean;
};

/** Which document, which page, how large; what is laid over it; pictures or text. */
export function PageToolbar({ shown, pictures, isRead }: PageToolbarProps) {
  const { t } = useTranslation();
  const session = useSession();
  const { view } = session.stores;
  const page = useDocuments((state) => state.pageInView[shown.id] ?? 1);
  const count = shown.pages.length;
  const goTo = (wanted: number): void => {
    view.setState({ goTo: { documentId: shown.id, page: Math.min(count, Math.max(1, wanted)) } });
  };
  return (
    <div className="toolbar-place">
      <div className="toolbar" role="toolbar" aria-label={t("pages.toolbar")}>
        {isRead ? <DocumentPicker shown={shown} /> : null}
        <div className="toolbar-group">
          <IconButton className="toolbar-step" label={t("pages.previous")} disabled={page <= 1} onClick={() => goTo(page - 1)}>
            <ChevronLeft aria-hidden="true" size={16} />
          </IconButton>
          <PageField key={page} page={page} count={count} onGo={goTo} />
          <IconButton className="toolbar-step" label={t("pages.next")} disabled={page >= count} onClick={() => goTo(page + 1)}>
            <ChevronRight aria-hidden="true" size={16} />
          </IconButton>
        </div>
        {pictures ? <ZoomTools /> : null}
        {isRead ? (
          <>
            <PinCommand />
            <HeatMenu />
            {pictures ? <BesideButton /> : null}
            <IconButton label={t("find.open")} onClick={session.find.open}>
              <Search aria-hidden="true" size={16} />
            </IconButton>
          </>
        ) : null}
        {shown.kind === "pdf" ? (
          <Button
            kind="quiet"
            className="button-small"
            aria-label={t(pictures ? "pages.text" : "pages.pictures")}
            title={t(pictures ? "pages.showText" : "pages.showPictures")}
            onClick={() => view.setState({ kind: pictures ? "text" : "picture" })}
          >
            {pictures ? <FileText aria-hidden="true" size={16} /> : <Image aria-hidden="true" size={16} />}
            <span className="toolbar-words">{t(pictures ? "pages.text" : "pages.pictures")}</span>
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** Only where a conversation has several documents. */
function DocumentPicker({ shown }: { readonly shown: ShownDocument }) {
  const { t } = useTranslation();
  const session = useSession();
  const conversation = useConversations((state) => state.current);
  const open = useDocuments((state) => state.open);
  const others = (conversation?.documents ?? []).flatMap((choice) => open[choice.documentId] ?? []);
  if (others.length < 2) return null;
  return (
    <select
      className="document-picker"
      aria-label={t("pages.document")}
      value={shown.id}
      onChange={(event) => session.documents.show(event.target.value)}
    >
      {others.map((other) => (
        <option key={other.id} value={other.id}>
          {other.name}
        </option>
      ))}
    </select>
  );
}

type PageFieldProps = { readonly page: number; readonly count: number; readonly onGo: (page: number) => void };

function PageField({ page, count, onGo }: PageFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(String(page));
  return (
    <form
      className="page-field"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = Number(typed);
        if (Number.isInteger(wanted) && wanted > 0) onGo(wanted);
        else setTyped(String(page));
      }}
    >
      <input
        type="text"
        inputMode="numeric"
        aria-label={t("pages.page")}
        value={typed}
        size={Math.max(3, String(count).length)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, ""))}
        onBlur={() => setTyped(String(page))}
      />
      <span>{t("pages.of", { count: formatCount(count) })}</span>
    </form>
  );
}

/** Shows and hides the extracted text beside the pictures. */
function BesideButton() {
  const { t } = useTranslation();
  const { view } = useSession().stores;
  const beside = useView((state) => state.beside);
  return (
    <IconButton label={t("pages.beside")} aria-pressed={beside} onClick={() => view.setState({ beside: !beside })}>
      <Columns2 aria-hidden="true" size={16} />
    </IconButton>
  );
}

function ZoomTools() {
  const { t } = useTranslation();
  const session = useSession();
  const { view } = session.stores;
  const scale = useView((state) => state.scale);
  const zoom = useView((state) => state.zoom);
  return (
    <div className="toolbar-group toolbar-zoom">
      <IconButton
        label={t("pages.zoomOut")}
        disabled={scale <= smallestZoom}
        onClick={() => view.setState((state) => withZoomStep(state, -1))}
      >
        <Minus aria-hidden="true" size={16} />
      </IconButton>
      <button
        type="button"
        className="zoom-value"
        aria-label={t("pages.zoomNow", { percent: formatScale(scale) })}
        title={t("pages.zoomReset")}
        onClick={() => view.setState({ zoom: fixedZoom(1) })}
      >
        {formatScale(scale)}
      </button>
      <IconButton
        label={t("pages.zoomIn")}
        disabled={scale >= largestZoom}
        onClick={() => view.setState((state) => withZoomStep(state, 1))}
      >
        <Plus aria-hidden="true" size={16} />
      </IconButton>
      <IconButton label={t("pages.fitWidth")} aria-pressed={zoom.kind === "width"} onClick={() => view.setState({ zoom: defaultZoom })}>
        <MoveHorizontal aria-hidden="true" size={16} />
      </IconButton>
    </div>
  );
}
