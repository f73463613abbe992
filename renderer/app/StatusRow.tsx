import { useTranslation } from "react-i18next";
import type { AnswerFigures } from "../../electron/contract/conversation.ts";
import type { DocumentChoice } from "../../electron/contract/document.ts";
import { messagesOf } from "../../electron/contract/said.ts";
import { runningAnswer } from "../answer/answerStore.ts";
import { BudgetControl } from "../budget/BudgetControl.tsx";
import { evictionOf } from "../budget/budget.ts";
import { useChoice } from "../budget/choice.ts";
import { useCircumstances } from "../budget/circumstances.ts";
import { useCountDown } from "../budget/countDown.ts";
import { MemoryGauge } from "../budget/MemoryGauge.tsx";
import { Button } from "../parts/Button.tsx";
import { Sentence } from "../parts/Sentence.tsx";
import { storedBytes } from "../snapshots/snapshotsStore.ts";
import { formatBytes, formatCount } from "../text/format.ts";
import { wordsOf } from "../text/words.ts";
import { useAnswers, useConversations, useDocuments, useModel, usePrompt, useSession, useSnapshots } from "./SessionContext.tsx";

/** The row of the budget: how much of the cache an answer keeps, and how large that is. */
export function StatusRow() {
  const { t } = useTranslation();
  const model = useModel((state) => state.current);
  return (
    <footer className="status-row">
      <span className="status-name" data-tour="budget" title={t("budget.meaning")}>
        {t("status.budget")}
      </span>
      {model === null ? <span>{t("status.noCache")}</span> : <BudgetControl model={model} />}
      <CacheSize />
      {(model === null ? [] : messagesOf(model)).map((notice) => (
        <Sentence key={notice.message} className="status-notice" words={wordsOf(notice)} />
      ))}
      <Elsewhere />
      <span className="status-end">
        <MemoryGauge />
      </span>
    </footer>
  );
}

/** The full cache's size; with a budget what the last answer made of it, and what that means for the next question. */
function CacheSize() {
  const { t } = useTranslation();
  const model = useModel((state) => state.current);
  const { budget } = useChoice();
  const prompt = usePrompt((state) => state.measured?.measure.promptTokens ?? null);
  const conversation = useConversations((state) => state.current);
  if (model === null) return null;
  if (budget === "full") {
    const words = t("status.full", { size: formatBytes(model.cacheBytes), length: formatCount(model.contextLength), type: model.kvType });
    return <Sentence words={words} meaning={t("status.fullMeaning")} />;
  }
  const turn = conversation?.turns.at(-1);
  const figures = turn?.figures ?? null;
  const shrunk = figures === null || figures.keptTokens === null ? null : figures;
  return (
    <>
      <LastSizes figures={shrunk} turn={turn?.id ?? ""} conversation={conversation?.id ?? ""} />
      {prompt === null || budget >= prompt ? null : <NextQuestion />}
    </>
  );
}

type LastSizesProps = { readonly figures: AnswerFigures | null; readonly turn: string; readonly conversation: string };

/**
 * The last answer's cache before and after; one size where there never was a larger one, as with windows. After an answer the size counts
 * down from the one to the other.
 */
function LastSizes({ figures, turn, conversation }: LastSizesProps) {
  const { t } = useTranslation();
  const [fullBytes, keptBytes] = [figures?.fullCacheBytes ?? 0, figures?.keptCacheBytes ?? 0];
  const counted = useCountDown(fullBytes, keptBytes, { subject: figures === null ? "" : turn, place: conversation });
  if (figures === null) return null;
  const [full, kept] = [formatBytes(fullBytes), formatBytes(counted)];
  const name = fullBytes === keptBytes ? "same" : "shrunk";
  return (
    <span className="status-shrunk" title={t(`status.${name}Meaning`)}>
      {t(`status.${name}`, { full, kept })}
    </span>
  );
}

/** What a budget means for the question after the next one. Kept once for the documents, nothing is to be said: it goes on from there. */
function NextQuestion() {
  const { t } = useTranslation();
  const choice = useChoice();
  const { mode } = evictionOf(choice, useCircumstances());
  const conversation = useConversations((state) => state.current);
  const open = useDocuments((state) => state.open);
  const snapshots = useSnapshots((state) => state);
  if (mode === "once") return null;
  const documents = conversation?.documents ?? [];
  const count = documents.length;
  const answered = conversation?.turns.some((turn) => turn.figures !== null) ?? false;
  const stores = (snapshots.usage?.settings.budgetBytes ?? 0) > 0;
  // What an answer left behind is known; before the first one, whether it can leave anything.
  const willBeStored = ({ documentId }: DocumentChoice): boolean =>
    answered ? storedBytes(snapshots, documentId) > 0 : open[documentId]?.locked === false;
  const stored = stores && count > 0 && documents.every(willBeStored);
  const name = mode === "streaming" ? "streaming" : stored ? "fetched" : "again";
  return <Sentence words={t(`status.${name}`, { count })} meaning={t(`status.${name}Meaning`)} />;
}

/** An answer that is being written in another conversation, and its Stop. */
function Elsewhere() {
  const { t } = useTranslation();
  const session = useSession();
  const running = useAnswers(runningAnswer);
  const currentId = useConversations((state) => state.current?.id ?? null);
  const list = useConversations((state) => state.list);
  if (running === null || running.conversationId === currentId) return null;
  const title = list.find((conversation) => conversation.id === running.conversationId)?.title ?? "";
  return (
    <span className="status-other">
      <span className="truncate">{t("status.elsewhere", { title: title === "" ? t("conversations.untitled") : title })}</span>
      <Button kind="quiet" className="button-small" onClick={() => session.answer.stop(running.conversationId)}>
        {t("composer.stop")}
      </Button>
    </span>
  );
}
