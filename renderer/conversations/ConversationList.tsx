import { Pencil, Plus, Trash2 } from "lucide-react";
import { AlertDialog } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConversationSummary } from "../../electron/contract/conversation.ts";
import { useAnswers, useConversations, useSession } from "../app/SessionContext.tsx";
import { Button, IconButton } from "../parts/Button.tsx";
import { formatTime } from "../text/format.ts";

/** Conversations, latest first: open, rename in place, delete after a question. */
export function ConversationList() {
  const { t } = useTranslation();
  const session = useSession();
  const list = useConversations((state) => state.list);
  const currentId = useConversations((state) => state.current?.id ?? null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<ConversationSummary | null>(null);
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
      {list.length === 0 ? <p className="library-empty">{t("library.noConversations")}</p> : null}
      <ul className="library-list">
        {list.map((conversation) => (
          <li key={conversation.id} className="library-item" data-current={conversation.id === currentId}>
            {renaming === conversation.id ? (
              <RenameField conversation={conversation} onDone={() => setRenaming(null)} />
            ) : (
              <>
                <ConversationButton conversation={conversation} current={conversation.id === currentId} />
                <div className="item-tools reveal">
                  <IconButton
                    label={t("conversations.rename", { title: titleOf(conversation, t("conversations.untitled")) })}
                    onClick={() => setRenaming(conversation.id)}
                  >
                    <Pencil aria-hidden="true" size={14} />
                  </IconButton>
                  <IconButton
                    label={t("conversations.delete", { title: titleOf(conversation, t("conversations.untitled")) })}
                    onClick={() => setDeleting(conversation)}
                  >
                    <Trash2 aria-hidden="true" size={14} />
                  </IconButton>
                </div>
              </>
            )}
          </li>
        ))}
      </ul>
      {deleting === null ? null : <DeleteDialog conversation={deleting} onDone={() => setDeleting(null)} />}
    </section>
  );
}

function titleOf(conversation: ConversationSummary, untitled: string): string {
  return conversation.title === "" ? untitled : conversation.title;
}

function ConversationButton({ conversation, current }: { readonly conversation: ConversationSummary; readonly current: boolean }) {
  const { t } = useTranslation();
  const session = useSession();
  const answering = useAnswers((state) => state.live[conversation.id]?.status === "running");
  return (
    <button
      type="button"
      className="library-button"
      aria-current={current ? "true" : undefined}
      title={formatTime(conversation.updatedAt)}
      onClick={() => void session.conversations.open(conversation.id)}
    >
      <span className="truncate library-name">{titleOf(conversation, t("conversations.untitled"))}</span>
      <span className="library-facts">
        {answering ? t("conversations.answering") : t("conversations.questions", { count: conversation.turns })}
      </span>
    </button>
  );
}

function RenameField({ conversation, onDone }: { readonly conversation: ConversationSummary; readonly onDone: () => void }) {
  const { t } = useTranslation();
  const session = useSession();
  const [title, setTitle] = useState(conversation.title);
  const save = (): void => {
    if (title.trim() !== "" && title.trim() !== conversation.title) void session.conversations.rename(conversation.id, title);
    onDone();
  };
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault();
        save();
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
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onDone();
        }}
      />
    </form>
  );
}

function DeleteDialog({ conversation, onDone }: { readonly conversation: ConversationSummary; readonly onDone: () => void }) {
  const { t } = useTranslation();
  const session = useSession();
  return (
    <AlertDialog.Root open onOpenChange={(open) => (open ? undefined : onDone())}>
      <AlertDialog.Portal>
        <div className="backdrop" aria-hidden="true" />
        <AlertDialog.Content className="dialog">
          <AlertDialog.Title className="dialog-title">{t("conversations.deleteTitle")}</AlertDialog.Title>
          <AlertDialog.Description className="dialog-description">
            {t("conversations.deleteWarning", {
              title: titleOf(conversation, t("conversations.untitled")),
              count: conversation.turns,
            })}
          </AlertDialog.Description>
          <div className="row row-end">
            <AlertDialog.Cancel asChild>
              <Button>{t("common.cancel")}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button kind="danger" onClick={() => void session.conversations.remove(conversation.id)}>
                {t("conversations.deleteIt")}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
