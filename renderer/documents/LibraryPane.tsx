import { Ellipsis, Plus } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../electron/contract/conversation.ts";
import type { LibraryEntry } from "../../electron/contract/document.ts";
import type { KeptDocument } from "../../electron/contract/kept.ts";
import { useConversations, useDocuments, useModel, useSession, useSnapshots } from "../app/SessionContext.tsx";
import { ConversationList } from "../conversations/ConversationList.tsx";
import { IconButton } from "../parts/Button.tsx";
import { MenuLayer } from "../parts/Layers.tsx";
import { moveAmongRows } from "../parts/moveAmongRows.ts";
import { SearchField } from "../parts/SearchField.tsx";
import { storedBytes } from "../snapshots/snapshotsStore.ts";
import { formatBytes, formatCount, formatTime } from "../text/format.ts";
import { DocumentPicture } from "./DocumentPicture.tsx";
import { hasNoText } from "./documentsStore.ts";
import { libraryMatching } from "./librarySearch.ts";

/** Documents from which on a search is of use. */
const fewest = 4;
/** Id of the documents that are listed. */
const foundId = "library-found";

/** Documents that were opened before, and conversations. */
export function LibraryPane() {
  const { t } = useTranslation();
  const session = useSession();
  const library = useDocuments((state) => state.library);
  const [sought, setSought] = useState("");
  const found = library.length < fewest ? library : libraryMatching(library, sought);
  return (
    <nav className="library" aria-label={t("panes.library")} data-pane="library" tabIndex={-1}>
      <section className="library-part" aria-labelledby="library-documents">
        <header className="pane-header">
          <h2 id="library-documents" className="pane-title">
            {t("library.documents")}
          </h2>
          <IconButton label={t("documents.open")} onClick={() => void session.conversations.chooseFiles()}>
            <Plus aria-hidden="true" size={16} />
          </IconButton>
        </header>
        {library.length === 0 ? <p className="library-empty">{t("library.noDocuments")}</p> : null}
        {library.length < fewest ? null : <SearchField label={t("library.search")} text={sought} listId={foundId} onType={setSought} />}
        {found.length === 0 && library.length > 0 ? (
          <p className="library-empty" role="status">
            {t("library.nothingFound")}
          </p>
        ) : null}
        <ul id={foundId} className="library-list">
          {found.map((entry) => (
            <LibraryItem key={entry.id} entry={entry} />
          ))}
        </ul>
      </section>
      <ConversationList />
    </nav>
  );
}

function LibraryItem({ entry }: { readonly entry: LibraryEntry }) {
  const { t } = useTranslation();
  const session = useSession();
  const summary = useDocuments((state) => state.open[entry.id]);
  const shown = useDocuments((state) => state.shownId === entry.id);
  const conversation = useConversations((state) => state.current);
  const choices = conversation?.documents ?? [];
  const included = choices.some((choice) => choice.documentId === entry.id);
  // Of one alone it is what the answer's figures say.
  const kept = included && choices.length > 1 ? keptOf(conversation, entry.id) : null;
  const stored = useSnapshots((state) => storedBytes(state, entry.id));
  // A document that belongs elsewhere begins a conversation of its own once something was asked in this one.
  const anew = !included && (conversation?.turns.length ?? 0) > 0;
  const facts: string[] = [];
  if (entry.kind !== "pdf") facts.push(t(`documents.kinds.${entry.kind}`));
  const modelId = useModel((state) => state.current?.report.id ?? null);
  // Of one that is not open, what was counted last, if the model still counts so.
  const remembered = entry.tokens !== null && entry.tokens.count > 0 && entry.tokens.model === modelId ? entry.tokens.count : null;
  const tokens = summary === undefined ? remembered : hasNoText(summary) ? null : summary.tokens;
  if (entry.kind === "pdf" || tokens === null) {
    facts.push(t("documents.pages", { count: entry.pages, pages: formatCount(entry.pages) }));
  }
  if (tokens !== null) facts.push(t("documents.tokens", { count: tokens, tokens: formatCount(tokens) }));
  if (kept !== null) facts.push(t("library.kept", { kept: formatCount(kept.keptTokens) }));
  if (entry.locked) facts.push(t("documents.locked"));
  if (stored > 0) facts.push(t("library.stored", { size: formatBytes(stored) }));
  const about = [
    ...(anew ? [t("library.askAnew")] : []),
    ...(entry.title === null ? [] : [entry.title]),
    entry.path,
    t("library.openedAt", { time: formatTime(entry.openedAt) }),
    ...(kept === null ? [] : [t("library.keptMeaning", { kept: formatCount(kept.keptTokens), tokens: formatCount(kept.tokens) })]),
    ...(stored === 0 ? [] : [t("library.storedMeaning", { size: formatBytes(stored) })]),
  ];
  const notices = summary?.notices.length ?? 0;
  return (
    <li className="library-item" data-current={shown}>
      <button
        type="button"
        className="library-button"
        title={about.join("\n")}
        aria-current={shown ? "true" : undefined}
        onKeyDown={moveAmongRows}
        onClick={() => void session.conversations.openFromLibrary(entry.id)}
      >
        <DocumentPicture entry={entry} />
        <span className="truncate library-name">{entry.name}</span>
        {anew ? <span className="visually-hidden">. {t("library.askAnew")}. </span> : null}
        <span className="library-facts">
          {facts.map((fact) => fact.replaceAll(" ", "\u00a0")).join("\u00a0· ")}
          {notices > 0 ? <span className="library-notices"> · {t("library.notices", { count: notices })}</span> : null}
        </span>
      </button>
      <DropdownMenu.Root modal={false} onOpenChange={(opened) => (opened ? void session.snapshots.refresh() : undefined)}>
        <DropdownMenu.Trigger className="icon-button item-tools reveal" aria-label={t("library.menuOf", { name: entry.name })}>
          <Ellipsis aria-hidden="true" size={16} />
        </DropdownMenu.Trigger>
        <MenuLayer align="start">
          {included ? (
            <DropdownMenu.Item
              className="menu-item"
              onSelect={() => void session.conversations.setDocuments(choices.filter((choice) => choice.documentId !== entry.id))}
            >
              {t("library.takeOut")}
            </DropdownMenu.Item>
          ) : (
            <DropdownMenu.Item className="menu-item" onSelect={() => void session.conversations.addToCurrent(entry.id)}>
              {t("library.add")}
            </DropdownMenu.Item>
          )}
          {stored === 0 ? null : (
            <DropdownMenu.Item
              className="menu-item"
              title={t("library.clearStoredMeaning")}
              onSelect={() => void session.snapshots.clear(entry.id)}
            >
              {t("library.clearStored", { size: formatBytes(stored) })}
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item className="menu-item" onSelect={() => void session.conversations.forgetDocument(entry.id)}>
            {t(included ? "library.forgetHere" : "library.forget")}
          </DropdownMenu.Item>
        </MenuLayer>
      </DropdownMenu.Root>
    </li>
  );
}

/** What the conversation's last answer kept of a document; null where it kept everything, or did not have it. */
function keptOf(conversation: Conversation | null, documentId: string): KeptDocument | null {
  const figures = conversation?.turns.at(-1)?.figures ?? null;
  if (figures === null || figures.keptTokens === null) return null;
  return figures.documents.find((document) => document.documentId === documentId) ?? null;
}
