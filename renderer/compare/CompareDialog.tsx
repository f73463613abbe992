import type { TFunction } from "i18next";
import { useEffect, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Comparison } from "../../electron/contract/comparison.ts";
import type { AnswerFigures } from "../../electron/contract/conversation.ts";
import { useCompare, useConversations, useModel, useSession } from "../app/SessionContext.tsx";
import { budgetStops, leastBudget } from "../budget/budget.ts";
import { useChoice } from "../budget/choice.ts";
import { useCircumstances } from "../budget/circumstances.ts";
import { Button } from "../parts/Button.tsx";
import { ModalDialog } from "../parts/ModalDialog.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { ProgressBar } from "../parts/ProgressBar.tsx";
import { formatBytes, formatCount, formatDuration, formatRate } from "../text/format.ts";
import { useProgressWords } from "../text/useProgressWords.ts";
import { comparedChoice } from "./compareActions.ts";
import { type Differences, differencesOf, type Piece } from "./differences.ts";

/** The same question from the full cache and from a kept one, side by side. */
export function CompareDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const compared = useCompare((state) => state.compared);
  const close = (): void => {
    session.compare.stop();
    session.showDialog(null);
  };
  const words = useProgressWords(compared?.progress ?? null, t("progress.starting"));
  if (compared === null) return null;
  const { running, writing, problem, result, question } = compared;
  return (
    <ModalDialog wide title={t("compare.title")} description={t("compare.meaning")} onClose={close} testId="compare">
      <blockquote className="compare-question" dir="auto">
        {question.length > 400 ? `${question.slice(0, 400)}…` : question}
      </blockquote>
      <CompareForm budget={compared.budget} running={running} turnId={compared.turnId} />
      {running ? (
        <ProgressBar
          label={writing === null ? words.label : t(`compare.writing.${writing}`)}
          detail={words.detail}
          fraction={words.fraction}
          testId="compare-progress"
        />
      ) : null}
      {problem === null ? null : <ProblemText problem={problem} />}
      {result === null ? null : <Sides result={result} />}
    </ModalDialog>
  );
}

type CompareFormProps = { readonly budget: number; readonly running: boolean; readonly turnId: string };

function CompareForm({ budget, running, turnId }: CompareFormProps) {
  const { t } = useTranslation();
  const session = useSession();
  const figures = useConversations((state) => state.current?.turns.find(({ id }) => id === turnId)?.figures ?? null);
  const { policy } = comparedChoice(figures, useChoice(), useCircumstances());
  const prompt = figures?.promptTokens ?? 4096;
  const [chosen, setChosen] = useState(budget);
  useEffect(() => setChosen(budget), [budget]);
  const stops = budgetStops(prompt, leastBudget(policy), [budget, chosen]).filter((stop) => stop !== "full");
  return (
    <form
      className="compare-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (running) session.compare.stop();
        else void session.compare.run(chosen);
      }}
    >
      <label>
        {t("budget.name")}{" "}
        <select value={String(chosen)} disabled={running} onChange={(event) => setChosen(Number(event.target.value))}>
          {stops.map((stop) => (
            <option key={stop} value={String(stop)}>
              {t("budget.tokens", { tokens: formatCount(stop) })}
            </option>
          ))}
        </select>{" "}
        {t(`policies.names.${policy}`)}
      </label>
      <Button kind={running ? "plain" : "primary"} submit>
        {t(running ? "composer.stop" : "compare.run")}
      </Button>
    </form>
  );
}

function Sides({ result }: { readonly result: Comparison }) {
  const { t } = useTranslation();
  const { full, kept, reading } = result;
  const differences = useMemo(() => differencesOf(full.answer, kept.answer), [full.answer, kept.answer]);
  const room = useModel((state) => state.current?.contextLength);
  const readMs = reading.restoreMs + reading.prefillMs + reading.scoringMs;
  return (
    <>
      <p role="status" data-testid="compare-sum">
        {sumOf(differences, t)} {t("compare.read", { time: formatDuration(readMs) })}
      </p>
      <div className="compare-sides">
        <Side title={t("compare.full")} figures={full} pieces={differences?.full ?? null} room={room} />
        <Side
          title={t("compare.kept", { kept: formatCount(kept.keptTokens ?? kept.promptTokens), policy: t(`policies.names.${kept.policy}`) })}
          figures={kept}
          pieces={differences?.kept ?? null}
        />
      </div>
    </>
  );
}

function sumOf(differences: Differences | null, t: TFunction): string {
  if (differences === null) return t("compare.tooDifferent");
  const { full, kept } = differences.words;
  if (full === 0 && kept === 0) return t("compare.same");
  return t("compare.differ", { full: formatCount(full), kept: formatCount(kept) });
}

type SideProps = {
  readonly title: string;
  readonly figures: AnswerFigures;
  readonly pieces: readonly Piece[] | null;
  /** Tokens that its cache has room for, where that is not just what it holds. */
  readonly room?: number | undefined;
};

/** One answer as it was written, what the other has not marked, and what it took. */
function Side({ title, figures, pieces, room }: SideProps) {
  const { t } = useTranslation();
  const id = useId();
  const { answer, keptCacheBytes, timings, answerTokens, decodeTokensPerSecond } = figures;
  const size = formatBytes(keptCacheBytes);
  const rows = [
    [t("compare.cache"), room === undefined ? size : t("compare.room", { size, tokens: formatCount(room) })],
    [t("compare.first"), formatDuration(timings.firstTokenMs)],
    [t("compare.writingTime"), formatDuration(timings.decodeMs)],
    [t("compare.rate"), t("figures.rate", { rate: formatRate(decodeTokensPerSecond) })],
    [t("compare.tokens"), formatCount(answerTokens)],
  ] as const;
  return (
    <section className="compare-side" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <div className="compare-text" dir="auto" tabIndex={0} role="group" aria-labelledby={id}>
        {pieces === null
          ? answer
          : withPlaces(pieces).map(({ at, text, differs }) => (differs ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>))}
      </div>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function withPlaces(pieces: readonly Piece[]): readonly (Piece & { readonly at: number })[] {
  let at = 0;
  return pieces.map((piece) => {
    const placed = { ...piece, at };
    at += piece.text.length;
    return placed;
  });
}
