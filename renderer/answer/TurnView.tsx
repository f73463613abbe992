import { Columns2, Info, Pencil, RefreshCw } from "lucide-react";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AnswerFigures, Turn } from "../../electron/contract/conversation.ts";
import type { ErrorCode, Problem } from "../../electron/contract/errors.ts";
import type { Message } from "../../electron/contract/said.ts";
import { useAnswers, useSession, useShell } from "../app/SessionContext.tsx";
import { changedSince } from "../budget/budget.ts";
import { useChoice } from "../budget/choice.ts";
import { useCircumstances } from "../budget/circumstances.ts";
import { focusBudget } from "../budget/focusBudget.ts";
import { Button, IconButton } from "../parts/Button.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { formatCount } from "../text/format.ts";
import { wordsOf } from "../text/words.ts";
import { AnotherAnswer } from "./AnotherAnswer.tsx";
import { AnswerText } from "./AnswerText.tsx";
import { CopyButtons } from "./CopyButtons.tsx";
import { EvidenceChips } from "./EvidenceChips.tsx";
import { FiguresLine } from "./FiguresLine.tsx";
import { TurnVersions } from "./TurnVersions.tsx";

type TurnViewProps = {
  readonly turn: Turn;
  /** Ids of all versions of it, oldest first; empty where there is one. */
  readonly versions: readonly string[];
  /** An answer is under way in this conversation. */
  readonly busy: boolean;
  /** It was stopped, and the engine has not said yet what it kept. */
  readonly stopping: boolean;
  /** Stands where the answer grows: progress, or the editor of the question. */
  readonly progress?: ReactNode;
  readonly editor?: ReactNode;
};

/** One question and its answer. */
export const TurnView = memo(function TurnView({ turn, versions, busy, stopping, progress, editor }: TurnViewProps) {
  const { t } = useTranslation();
  const session = useSession();
  const finished = turn.status !== "writing";
  return (
    <article className="turn" aria-label={t("answer.turn")} tabIndex={-1} data-turn={turn.id}>
      <div className="question">
        <h3 className="visually-hidden">{t("answer.you")}</h3>
        {editor ?? (
          <>
            <QuestionText text={turn.question} />
            {busy ? null : (
              <IconButton
                label={t("answer.editQuestion")}
                className="reveal"
                onClick={() => session.prompt.startEditing(turn.id, turn.question)}
              >
                <Pencil aria-hidden="true" size={14} />
              </IconButton>
            )}
          </>
        )}
      </div>
      {versions.length > 1 ? <TurnVersions turnId={turn.id} versions={versions} busy={busy} /> : null}
      <div className="answer" data-testid="answer" data-status={turn.status}>
        <h3 className="visually-hidden">{t("answer.answer")}</h3>
        {turn.answer === "" ? null : <AnswerText text={turn.answer} onLink={session.openLink} />}
        {progress}
        {turn.status === "stopped" ? (
          <p className="answer-status">{t(stopping ? "answer.stopping" : turn.answer === "" ? "answer.stoppedEarly" : "answer.stopped")}</p>
        ) : null}
        {turn.status === "interrupted" ? <p className="answer-status">{t("answer.interrupted")}</p> : null}
        {turn.status === "failed" && turn.problem !== null ? <AnswerProblem problem={turn.problem} /> : null}
        {turn.status === "done" && turn.figures?.stopReason === "max-tokens" ? (
          <p className="answer-status">{t("answer.cutAtLength")}</p>
        ) : null}
        {turn.status === "done" && turn.figures?.stopReason === "context-full" ? (
          <p className="answer-status">{t("answer.contextFull")}</p>
        ) : null}
        <AnswerNotices turnId={turn.id} startedOver={turn.figures?.startedOver ?? null} />
        {turn.figures === null ? null : <EvidenceChips evidence={turn.figures.evidence} />}
        {finished ? (
          <footer className="answer-footer">
            {turn.figures === null ? null : (
              <FiguresLine figures={turn.figures} {...(busy ? {} : { choice: (words) => <AnotherAnswer turn={turn} words={words} /> })} />
            )}
            <div className="answer-tools">
              {turn.answer === "" ? null : <CopyButtons turnId={turn.id} answer={turn.answer} finished={finished} />}
              {busy || turn.status !== "done" ? null : <CompareButton turn={turn} />}
              {busy ? null : <AnswerAgain turn={turn} />}
              {busy ? null : <AnotherAnswer turn={turn} />}
            </div>
          </footer>
        ) : null}
      </div>
    </article>
  );
});

const noNotices: readonly Message[] = [];

type AnswerNoticesProps = { readonly turnId: string; readonly startedOver: AnswerFigures["startedOver"] };

/** What is to be known of the answer that is no error: what its figures say, in each run, and what the engine said while it was made. */
function AnswerNotices({ turnId, startedOver }: AnswerNoticesProps) {
  const { t } = useTranslation();
  const said = useAnswers((state) => state.notices[turnId] ?? noNotices);
  const notices = [...(startedOver === null ? [] : [t(`answer.startedOver.${startedOver}`)]), ...said.map(wordsOf)];
  return notices.map((notice) => (
    <p key={notice} className="answer-notice" data-testid="answer-notice">
      <Info aria-hidden="true" size={14} />
      <span>{notice}</span>
    </p>
  ));
}

/** Characters of a question that are shown; a pasted book would only hold up the window. */
const shownCharacters = 4000;

/** What was asked; of a very long one its beginning. */
export function QuestionText({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  return (
    <p className="question-text" dir="auto">
      {text.length > shownCharacters ? text.slice(0, shownCharacters) : text}
      {text.length > shownCharacters ? (
        <em> {t("answer.longQuestion", { count: text.length, characters: formatCount(text.length) })}</em>
      ) : null}
    </p>
  );
}

function CompareButton({ turn }: { readonly turn: Turn }) {
  const { t } = useTranslation();
  const session = useSession();
  const whole = turn.figures?.keptTokens === null;
  return (
    <IconButton
      label={t(whole ? "compare.openKept" : "compare.open")}
      title={t("compare.meaning")}
      onClick={() => session.compare.open(turn)}
    >
      <Columns2 aria-hidden="true" size={14} />
    </IconButton>
  );
}

/** Asks the same again, and says what will be different this time. */
function AnswerAgain({ turn }: { readonly turn: Turn }) {
  const { t } = useTranslation();
  const session = useSession();
  const changed = changedSince(turn.figures, useChoice(), useCircumstances());
  const greedy = useShell((state) => state.settings.sampling.temperature === 0);
  const title = (): string => {
    if (turn.status !== "done") return t("answer.regenerate");
    if (changed !== null) return t(`answer.regenerateWith.${changed}`);
    return t(greedy ? "answer.regenerateFreely" : "answer.regenerateAnew");
  };
  return (
    <IconButton label={t("answer.regenerate")} title={title()} onClick={() => void session.regenerate(turn.id)}>
      <RefreshCw aria-hidden="true" size={14} />
    </IconButton>
  );
}

const modelCodes: readonly ErrorCode[] = ["model-none", "model-missing", "model-invalid", "model-memory", "model-unsupported"];

/** An error where the answer would be, with what can be done about it. */
export function AnswerProblem({ problem, children }: { readonly problem: Problem; readonly children?: ReactNode }) {
  const { t } = useTranslation();
  const session = useSession();
  const evicts = useChoice().budget !== "full";
  return (
    <ProblemText problem={problem}>
      {problem.code === "does-not-fit" ? <Button onClick={() => session.showDialog("fit")}>{t("fit.open")}</Button> : null}
      {modelCodes.includes(problem.code) ? <Button onClick={() => session.showDialog("model")}>{t("model.choose")}</Button> : null}
      {problem.code === "usage" && evicts ? <Button onClick={() => focusBudget(document)}>{t("budget.larger")}</Button> : null}
      {problem.code === "engine-died" ? <Button onClick={() => void session.restartEngine()}>{t("engine.restart")}</Button> : null}
      {children}
    </ProblemText>
  );
}
