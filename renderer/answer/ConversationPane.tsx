import { Download } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation, Turn } from "../../electron/contract/conversation.ts";
import { useAnswers, useConversations, useDocuments, useModel, usePrompt, useSession, useShell } from "../app/SessionContext.tsx";
import { turnsBefore } from "../conversations/conversationsStore.ts";
import { Suggestions } from "../documents/Suggestions.tsx";
import { Button, IconButton } from "../parts/Button.tsx";
import { ProgressBar } from "../parts/ProgressBar.tsx";
import { useProgressWords } from "../text/useProgressWords.ts";
import { type LiveAnswer, shownTurn } from "./answerStore.ts";
import { Composer } from "./Composer.tsx";
import { QuestionEditor } from "./QuestionEditor.tsx";
import { AnswerProblem, QuestionText, TurnView } from "./TurnView.tsx";

const noTurns: readonly Turn[] = [];
const noVersions: readonly string[] = [];

/** Turns, the answer that is being written, and the composer. */
export function ConversationPane() {
  const { t } = useTranslation();
  const session = useSession();
  const conversation = useConversations((state) => state.current);
  const live = useAnswers((state) => (conversation === null ? null : (state.live[conversation.id] ?? null)));
  const stopping = useAnswers((state) => state.stopping);
  const editing = usePrompt((state) => state.editing);
  // What stands in the way depends on all of these; each change asks again.
  useShell((state) => state.engine);
  useShell((state) => state.settings);
  useModel((state) => state);
  useDocuments((state) => state.open);
  useDocuments((state) => state.openings);
  usePrompt((state) => state);
  const isSample = useIsSample(conversation);
  const obstacle = session.prompt.obstacle();

  const running = live !== null && live.status === "running";
  const turns = conversation?.turns ?? noTurns;
  const kept = live === null || live.turn !== null ? turns : turnsBefore(turns, live.replaceTurnId);
  const log = useStickToEnd(conversation?.id ?? null, live?.text.length ?? 0, kept.length, running);

  useGoToTurn(log);

  return (
    <section className="conversation" aria-label={t("panes.conversation")} data-pane="conversation" tabIndex={-1}>
      <header className="conversation-header">
        <h2 className="pane-title truncate" title={conversation?.title}>
          {conversation === null || conversation.title === "" ? t("conversations.untitled") : conversation.title}
        </h2>
        <IconButton label={t("export.open")} disabled={turns.length === 0} onClick={() => session.showDialog("export")}>
          <Download aria-hidden="true" size={16} />
        </IconButton>
      </header>
      <div
        className="turns"
        data-text
        role="log"
        aria-live="polite"
        aria-busy={running}
        aria-label={t("answer.log")}
        tabIndex={0}
        ref={log}
      >
        {kept.length === 0 && live === null ? (
          <>
            <p className="turns-empty">
              <EmptyWords conversation={conversation} />
            </p>
            {isSample ? <Suggestions title={t("suggestions.title")} onAsk={(question) => void session.askNow(question)} /> : null}
          </>
        ) : null}
        {kept.map((turn) => {
          const ours = live !== null && live.turn?.id === turn.id ? live : null;
          const edited = editing !== null && editing.turnId === turn.id;
          return (
            <TurnView
              key={turn.id}
              turn={shownTurn(turn, ours)}
              versions={conversation?.versions[turn.id] ?? noVersions}
              busy={running}
              stopping={stopping.includes(turn.id)}
              {...(ours === null ? {} : { progress: <LiveProgress live={ours} /> })}
              {...(edited ? { editor: <QuestionEditor obstacle={obstacle !== null} /> } : {})}
            />
          );
        })}
        {live !== null && live.turn === null ? <UnwrittenTurn live={live} /> : null}
      </div>
      <EndAnnouncement conversationId={conversation?.id ?? null} />
      <Composer running={running} obstacle={obstacle} />
    </section>
  );
}

/** What can be done in a conversation without questions: it names its document, which a new one takes over. */
function EmptyWords({ conversation }: { readonly conversation: Conversation | null }) {
  const { t } = useTranslation();
  const documents = conversation?.documents ?? [];
  const name = useDocuments((state) => state.open[documents[0]?.documentId ?? ""]?.name);
  if (documents.length === 0) return t("answer.empty");
  return t("answer.emptyWithDocument", { count: documents.length, name: name ?? t("documents.unknownName") });
}

/** True where the sample document is what is asked about. */
function useIsSample(conversation: Conversation | null): boolean {
  const samplePath = useShell((state) => state.samplePath);
  const [only, ...more] = conversation?.documents ?? [];
  const path = useDocuments((state) => (only === undefined ? undefined : state.open[only.documentId]?.path));
  return path !== undefined && path === samplePath && more.length === 0;
}

function LiveProgress({ live }: { readonly live: LiveAnswer }) {
  const { t } = useTranslation();
  const { label, detail, fraction } = useProgressWords(live.progress, t("progress.starting"));
  if (live.status !== "running") return null;
  return <ProgressBar label={label} detail={detail} fraction={fraction} testId="progress" />;
}

/** A question that is on its way or was refused before the engine wrote it down. */
function UnwrittenTurn({ live }: { readonly live: LiveAnswer }) {
  const { t } = useTranslation();
  const session = useSession();
  return (
    <article className="turn" aria-label={t("answer.turn")}>
      <div className="question">
        <QuestionText text={live.question} />
      </div>
      <div className="answer" data-testid="answer" data-status={live.status === "running" ? "writing" : "failed"}>
        <LiveProgress live={live} />
        {live.problem === null ? null : (
          <AnswerProblem problem={live.problem}>
            <Button kind="quiet" onClick={() => session.answer.dismiss(live.conversationId)}>
              {t("common.dismiss")}
            </Button>
          </AnswerProblem>
        )}
      </div>
    </article>
  );
}

/** Says once how an answer ended, for those who do not see it; the text itself is in the log. */
function EndAnnouncement({ conversationId }: { readonly conversationId: string | null }) {
  const { t } = useTranslation();
  const ended = useAnswers((state) => state.ended);
  return (
    <p className="visually-hidden" role="status">
      {ended === null || ended.conversationId !== conversationId ? "" : t(`answer.ends.${ended.status}`)}
    </p>
  );
}

/** Brings a turn that was looked for into view, and gives it the focus. */
function useGoToTurn(log: { readonly current: HTMLElement | null }): void {
  const session = useSession();
  const goTo = useConversations((state) => state.goTo);
  useEffect(() => {
    if (goTo === null) return;
    const turn = log.current?.querySelector(`[data-turn="${CSS.escape(goTo.turnId)}"]`);
    if (!(turn instanceof HTMLElement)) return;
    turn.scrollIntoView({ block: "start" });
    turn.focus({ preventScroll: true });
    session.stores.conversations.setState({ goTo: null });
  }, [goTo, log, session]);
}

/** Keeps the end in view while it grows, unless the person has scrolled away to read. */
function useStickToEnd(conversationId: string | null, length: number, turns: number, running: boolean) {
  const element = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  useEffect(() => {
    const log = element.current;
    if (log === null) return;
    const scrolled = (): void => {
      stuck.current = log.scrollHeight - log.scrollTop - log.clientHeight < 48;
    };
    log.addEventListener("scroll", scrolled, { passive: true });
    return () => log.removeEventListener("scroll", scrolled);
  }, []);
  useLayoutEffect(() => {
    stuck.current = true;
  }, [conversationId, turns]);
  useLayoutEffect(() => {
    const log = element.current;
    if (log !== null && stuck.current) log.scrollTop = log.scrollHeight;
  }, [conversationId, length, turns, running]);
  return element;
}
