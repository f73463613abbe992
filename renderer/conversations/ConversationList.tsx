import { Pencil, Plus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { ConversationSummary } from "../../electron/contract/conversation.ts";
import { useAnswers, useConversations, useSession } from "../app/SessionContext.tsx";
import { IconButton } from "../parts/Button.tsx";
import { moveAmongRows } from "../parts/moveAmongRows.ts";
import { formatTime } from "../text/format.ts";
import { ConversationSearch, SearchHits } from "./ConversationSearch.tsx";

/** Conversations, latest first: open, rename in place (F2), delete (Delete), which can be undone. */
export function ConversationList() {
  const { t } = useTranslation();
  const session = useSession();
  const list = useConversations((state) => state.list);
  const currentId = useConversations((state) => state.current?.id ?? null);
  const searching = useConversations((state) => state.search !== null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const rows = useRef<HTMLUListElement>(null);
  const focusRow = (id: string): void => {
    const row = rows.current?.querySelector(`[data-conversation="${CSS.escape(id)}"] .library-button`);
    if (row instanceof HTMLElement) row.focus();
  };
  const remove = (id: string): void => {
    // The focus goes on to the next row, not to nowhere with this one.
    const index = list.findIndex((conversation) => conversation.id === id);
    const next = (list[index + 1] ?? list[index - 1])?.id;
    void session.conversations.remove(id).then(() => (next === undefined ? undefined : focusRow(next)));
  };
  return (
    <section className="library-part" aria-labelledby="library-conversations">
      <header className="pane-header">
        <h2 id="library-conversations" className="pane-title">
          {t("library.conversations")}
        </h2>
        <IconButton label={t("conversations.new")} onClick={() => void session.conversations.createNew()}>
          <Plus aria-hidden="true" size={16} />
        </IconButton>
      </header>
      {list.length === 0 && !searching ? null : <ConversationSearch />}
      {searching ? <SearchHits /> : null}
      {list.length === 0 && !searching ? <p className="library-empty">{t("library.noConversations")}</p> : null}
      <ul className="library-list" ref={rows} hidden={searching}>
        {list.map((conversation) => (
          <li
            key={conversation.id}
            className="library-item"
            data-current={conversation.id === currentId}
            data-conversation={conversation.id}
          >
            {renaming === conversation.id ? (
              <RenameField
                conversation={conversation}
                onDone={(byKey) => {
                  flushSync(() => setRenaming(null));
                  if (byKey) focusRow(conversation.id);
                }}
              />
            ) : (
              <>
                <ConversationButton
                  conversation={conversation}
                  current={conversation.id === currentId}
                  onRename={() => setRenaming(conversation.id)}
                  onRemove={() => remove(conversation.id)}
                />
                <div className="item-tools reveal">
                  <IconButton
                    label={t("conversations.rename", { title: titleOf(conversation, t("conversations.untitled")) })}
                    onClick={() => setRenaming(conversation.id)}
                  >
                    <Pencil aria-hidden="true" size={14} />
                  </IconButton>
                  <IconButton
                    label={t("conversations.delete", { title: titleOf(conversation, t("conversations.untitled")) })}
                    onClick={() => remove(conversation.id)}
                  >
                    <Trash2 aria-hidden="true" size={14} />
                  </IconButton>
                </div>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function titleOf(conversation: ConversationSummary, untitled: string): string {
  return conversation.title === "" ? untitled : conversation.title;
}

type ConversationButtonProps = {
  readonly conversation: ConversationSummary;
  readonly current: boolean;
  readonly onRename: () => void;
  readonly onRemove: () => void;
};

function ConversationButton({ conversation, current, onRename, onRemove }: ConversationButtonProps) {
  const { t } = useTranslation();
  const session = useSession();
  const answering = useAnswers((state) => state.live[conversation.id]?.status === "running");
  return (
    <button
      type="button"
      className="library-button"
      aria-current={current ? "true" : undefined}
      aria-keyshortcuts="F2 Delete"
      title={formatTime(conversation.updatedAt)}
      onKeyDown={(event) => {
        if (moveAmongRows(event)) return;
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        if (event.key !== "F2" && event.key !== "Delete") return;
        event.preventDefault();
        if (event.key === "F2") onRename();
        else onRemove();
      }}
      onClick={() => void session.conversations.open(conversation.id)}
    >
      <span className="truncate library-name">{titleOf(conversation, t("conversations.untitled"))}</span>
      <span className="library-facts">
        {answering ? t("conversations.answering") : t("conversations.questions", { count: conversation.turns })}
      </span>
    </button>
  );
}

function RenameField({ conversation, onDone }: { readonly conversation: ConversationSummary; readonly onDone: (byKey: boolean) => void }) {
  const { t } = useTranslation();
  const session = useSession();
  const [title, setTitle] = useState(conversation.title);
  const save = (byKey: boolean): void => {
    if (title.trim() !== "" && title.trim() !== conversation.title) void session.conversations.rename(conversation.id, title);
    onDone(byKey);
  };
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault();
        save(true);
      }}
    >
      <input
        autoFocus
        type="text"
        aria-label={t("conversations.title")}
        maxLength={200}
        value={title}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={() => save(false)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onDone(true);
        }}
      />
    </form>
  );
}
