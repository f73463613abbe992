import { Ellipsis, Plus } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useTranslation } from "react-i18next";
import type { LibraryEntry } from "../../electron/contract/document.ts";
import { useConversations, useDocuments, useSession } from "../app/SessionContext.tsx";
import { ConversationList } from "../conversations/ConversationList.tsx";
import { IconButton } from "../parts/Button.tsx";
import { formatCount, formatTime } from "../text/format.ts";
import { hasNoText } from "./documentsStore.ts";

/** Documents that were opened before, and conversations. */
export function LibraryPane() {
  const { t } = useTranslation();
  const session = useSession();
  const library = useDocuments((state) => state.library);
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
        <ul className="library-list">
          {library.map((entry) => (
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
  // A document that belongs elsewhere begins a conversation of its own once something was asked in this one.
  const anew = !included && (conversation?.turns.length ?? 0) > 0;
  const facts: string[] = [];
  if (entry.kind !== "pdf") facts.push(t(`documents.kinds.${entry.kind}`));
  const tokens = summary === undefined || hasNoText(summary) ? null : summary.tokens;
  if (entry.kind === "pdf" || tokens === null) {
    facts.push(t("documents.pages", { count: entry.pages, pages: formatCount(entry.pages) }));
  }
  if (tokens !== null) facts.push(t("documents.tokens", { count: tokens, tokens: formatCount(tokens) }));
  if (entry.locked) facts.push(t("documents.locked"));
  const notices = summary?.notices.length ?? 0;
  return (
    <li className="library-item" data-current={shown}>
      <button
        type="button"
        className="library-button"
        title={`${anew ? `${t("library.askAnew")}\n` : ""}${entry.path}\n${t("library.openedAt", { time: formatTime(entry.openedAt) })}`}
        aria-current={shown ? "true" : undefined}
        onClick={() => void session.conversations.openFromLibrary(entry.id)}
      >
        <span className="truncate library-name">{entry.name}</span>
        {anew ? <span className="visually-hidden">. {t("library.askAnew")}. </span> : null}
        <span className="library-facts">
          {facts.join(" · ")}
          {notices > 0 ? <span className="library-notices"> · {t("library.notices", { count: notices })}</span> : null}
        </span>
      </button>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="icon-button item-tools reveal" aria-label={t("library.menuOf", { name: entry.name })}>
          <Ellipsis aria-hidden="true" size={16} />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="start">
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
            <DropdownMenu.Item className="menu-item" onSelect={() => void session.conversations.forgetDocument(entry.id)}>
              {t(included ? "library.forgetHere" : "library.forget")}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </li>
  );
}
