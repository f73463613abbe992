import { ArrowUp, FileText, Square, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentChoice } from "../../electron/contract/document.ts";
import { useConversations, useDocuments, useModel, usePrompt, useSession } from "../app/SessionContext.tsx";
import { hasNoText } from "../documents/documentsStore.ts";
import { Button, IconButton } from "../parts/Button.tsx";
import { formatPageRange } from "../prompt/pageRange.ts";
import type { Obstacle } from "../prompt/promptStore.ts";
import { directionOf } from "../text/direction.ts";
import { useProgressWords } from "../text/useProgressWords.ts";
import { wordsOf } from "../text/words.ts";
import { TokenMeter } from "./TokenMeter.tsx";
import { useTextHeight } from "./useTextHeight.ts";

type ComposerProps = { readonly running: boolean; readonly obstacle: Obstacle | null };

/** Pixels that the question field may grow to. */
const tallest = 200;
/** Characters from which a paste is put in by us. */
const longPaste = 5000;

/** The documents of the question, the question, what it comes to in tokens, and Send or Stop. */
export function Composer({ running, obstacle }: ComposerProps) {
  const { t } = useTranslation();
  const session = useSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const conversation = useConversations((state) => state.current);
  const draft = usePrompt((state) => state.drafts[conversation?.id ?? ""] ?? "");
  const editing = usePrompt((state) => state.editing !== null);
  const measured = usePrompt((state) => state.measured);
  const measuring = usePrompt((state) => state.measuring);
  const problem = usePrompt((state) => state.problem);
  const recounting = useDocuments((state) => state.recounting);
  const counting = useProgressWords(recounting?.progress ?? null, "").detail;
  const model = useModel((state) => state.current);
  const coming = useModel(({ loading, looking }) => looking || loading !== null);
  const modelProblem = useModel((state) => state.problem);

  useTextHeight(field, draft, tallest);

  const documents = conversation?.documents ?? [];
  const textless = useDocuments(({ open }) => documents.flatMap(({ documentId }) => open[documentId] ?? []).find(hasNoText)?.name ?? "");
  const quiet: readonly (Obstacle | null)[] = [null, "no-question", "measuring", "engine"];
  const words =
    obstacle === "no-model" && modelProblem !== null
      ? wordsOf(modelProblem)
      : t(`obstacle.${obstacle ?? "no-question"}`, { count: documents.length, name: textless });
  const unmeasured =
    model === null
      ? t(coming ? "meter.unknown" : "meter.noModel")
      : obstacle === "no-text"
        ? t("meter.noText")
        : recounting !== null
          ? t("meter.recounting", { name: recounting.name, detail: counting })
          : t(
              problem === null && (measuring || obstacle === "measuring" || obstacle === "no-question")
                ? "meter.counting"
                : "meter.unknown",
            );
  const reason = running || editing || quiet.includes(obstacle) ? null : words;
  return (
    <form
      className="composer"
      data-tour="question"
      aria-label={t("composer.label")}
      onSubmit={(event) => {
        event.preventDefault();
        void session.send();
      }}
    >
      {documents.length === 0 ? null : (
        <div className="composer-above">
          <DocumentChips documents={documents} />
          <Button
            kind="quiet"
            className="button-small"
            title={t("fit.open")}
            disabled={measured === null}
            onClick={() => session.showDialog("fit")}
          >
            {t("fit.openShort")}
          </Button>
        </div>
      )}
      <div className="composer-field">
        <textarea
          ref={field}
          data-pane-focus="conversation"
          aria-label={t("composer.question")}
          placeholder={documents.length === 0 ? t("composer.placeholderPlain") : t("composer.placeholder", { count: documents.length })}
          dir={directionOf(draft)}
          rows={1}
          value={draft}
          disabled={editing}
          onChange={(event) => session.prompt.type(event.target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData("text/plain");
            if (pasted.length <= longPaste) return;
            // The browser's own way takes minutes for thousands of lines.
            event.preventDefault();
            const { currentTarget: field } = event;
            field.dir = directionOf(pasted);
            field.setRangeText(pasted, field.selectionStart, field.selectionEnd, "end");
            session.prompt.type(field.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (!running) void session.send();
          }}
        />
        {running ? (
          <IconButton label={t("composer.stop")} className="send send-stop" onClick={session.stop}>
            <Square aria-hidden="true" size={14} fill="currentColor" />
          </IconButton>
        ) : (
          <IconButton label={t("composer.send")} className="send" submit disabled={obstacle !== null || editing}>
            <ArrowUp aria-hidden="true" size={18} />
          </IconButton>
        )}
      </div>
      <TokenMeter measured={measured} unmeasured={unmeasured} contextLength={model?.contextLength ?? null} measuring={measuring} />
      {reason === null ? null : (
        <p className="composer-reason" role="status">
          {reason}
          {obstacle === "no-model" ? (
            <Button kind="quiet" className="button-small" onClick={() => session.showDialog("model")}>
              {t("model.choose")}
            </Button>
          ) : null}
        </p>
      )}
      {problem === null ? null : <p className="composer-reason">{wordsOf(problem)}</p>}
    </form>
  );
}

function DocumentChips({ documents }: { readonly documents: readonly DocumentChoice[] }) {
  const { t } = useTranslation();
  const session = useSession();
  const open = useDocuments((state) => state.open);
  const library = useDocuments((state) => state.library);
  return (
    <ul className="chips" aria-label={t("composer.documents")}>
      {documents.map((choice) => {
        const name =
          (open[choice.documentId] ?? library.find((entry) => entry.id === choice.documentId))?.name ?? t("documents.unknownName");
        const pages = formatPageRange(choice.pages);
        return (
          <li key={choice.documentId} className="chip">
            <button type="button" className="chip-name" title={name} onClick={() => session.documents.show(choice.documentId)}>
              <FileText aria-hidden="true" size={14} />
              <span className="truncate">{name}</span>
              {pages === "" ? null : <span className="chip-pages">{t("composer.pages", { pages })}</span>}
            </button>
            <IconButton
              label={t("composer.takeOut", { name })}
              onClick={() => void session.conversations.setDocuments(documents.filter((other) => other.documentId !== choice.documentId))}
            >
              <X aria-hidden="true" size={14} />
            </IconButton>
          </li>
        );
      })}
    </ul>
  );
}
