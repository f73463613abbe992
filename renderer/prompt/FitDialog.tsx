import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import type { PromptMeasure } from "../../electron/contract/conversation.ts";
import { type DocumentChoice, type DocumentSummary, documentChoiceSchema } from "../../electron/contract/document.ts";
import { type Problem, toProblem } from "../../electron/contract/errors.ts";
import type { LoadedModel, ModelReport } from "../../electron/contract/model.ts";
import { useConversations, useDocuments, useModel, usePrompt, useSession } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { ModalDialog } from "../parts/ModalDialog.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { ProgressBar } from "../parts/ProgressBar.tsx";
import { formatBytes, formatCount } from "../text/format.ts";
import { useProgressWords } from "../text/useProgressWords.ts";
import { wordsOf } from "../text/words.ts";
import { BudgetNote } from "./BudgetNote.tsx";
import { contextFor, neededTokens } from "./contextLength.ts";
import { formatPageRange, parsePageRange } from "./pageRange.ts";
import { proposePages } from "./proposePages.ts";

/** Asks what to do with documents that are longer than the context: nothing is ever left out unasked. */
export function FitDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const measure = usePrompt((state) => state.measured?.measure ?? null);
  const model = useModel((state) => state.current);
  const reports = useModel((state) => state.reports);
  const loading = useModel((state) => state.loading);
  const problem = useModel((state) => state.problem);
  const conversation = useConversations((state) => state.current);
  const open = useDocuments((state) => state.open);
  const progress = useProgressWords(loading?.progress ?? null, t("model.loading"));

  const close = (): void => {
    session.prompt.putFitAside();
    session.showDialog(null);
  };
  // A longer context or another model makes another prompt: where that does not fit either, the dialog comes back.
  const loaded = (): void => session.showDialog(null);

  const documents = conversation?.documents ?? [];
  const summaries = documents.flatMap((choice) => open[choice.documentId] ?? []);
  const fits = measure?.fits ?? true;
  const description =
    measure === null || model === null
      ? t("fit.unknown")
      : t(fits ? "fit.fits" : "fit.doesNotFit", {
          needed: formatCount(neededTokens(measure)),
          document: formatCount(measure.documentTokens),
          other: formatCount(measure.promptTokens - measure.documentTokens),
          room: formatCount(measure.answerRoom),
          length: formatCount(measure.contextLength),
          model: model.report.name,
        });
  return (
    <ModalDialog title={fits ? t("fit.titleFits") : t("fit.title")} description={description} onClose={close} testId="fit-dialog" wide>
      <BudgetNote />
      {loading === null ? null : (
        <ProgressBar label={progress.label} detail={progress.detail} fraction={progress.fraction} testId="model-progress" />
      )}
      {problem === null ? null : <ProblemText problem={problem} />}
      {measure === null || model === null ? null : (
        <div className="fit-choices">
          <PagesChoice documents={documents} summaries={summaries} measure={measure} onDone={close} />
          <ContextChoice model={model} measure={measure} busy={loading !== null} onDone={loaded} />
          <ModelChoice model={model} measure={measure} reports={reports} busy={loading !== null} onDone={loaded} />
        </div>
      )}
      <div className="row row-end">
        <Button onClick={close}>{fits ? t("common.close") : t("fit.later")}</Button>
      </div>
    </ModalDialog>
  );
}

type PagesChoiceProps = {
  readonly documents: readonly DocumentChoice[];
  readonly summaries: readonly DocumentSummary[];
  readonly measure: PromptMeasure;
  readonly onDone: () => void;
};

function PagesChoice({ documents, summaries, measure, onDone }: PagesChoiceProps) {
  const { t } = useTranslation();
  const session = useSession();
  const proposal = useMemo(() => proposePages(documents, summaries, measure), [documents, summaries, measure]);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const ranges = summaries.map((summary) => {
    const proposed = (proposal ?? documents).find((choice) => choice.documentId === summary.id);
    const text = typed[summary.id] ?? formatPageRange(proposed?.pages ?? null);
    return { summary, text, range: parsePageRange(text, summary.pages.length) };
  });
  const choices: DocumentChoice[] = ranges.flatMap(({ summary, range }) =>
    range.ok ? [{ documentId: summary.id, pages: range.pages }] : [],
  );
  const complete = choices.length === ranges.length;
  const tried = useTriedMeasure(complete ? choices : null);

  if (summaries.length === 0) return null;
  const words =
    tried.problem !== null
      ? wordsOf(tried.problem)
      : tried.measure === null
        ? t("meter.counting")
        : t(tried.measure.fits ? "fit.pagesFit" : "fit.pagesDoNotFit", {
            needed: formatCount(neededTokens(tried.measure)),
            length: formatCount(tried.measure.contextLength),
          });
  return (
    <form
      className="fit-choice"
      aria-label={t("fit.pages")}
      onSubmit={(event) => {
        event.preventDefault();
        if (tried.measure?.fits !== true) return;
        void session.conversations.setDocuments(choices);
        onDone();
      }}
    >
      <h3>{t("fit.pages")}</h3>
      {ranges.map(({ summary, text, range }) => (
        <label key={summary.id} className="field">
          <span className="field-name">
            {t("fit.pagesOf", { name: summary.name, count: summary.pages.length, pages: formatCount(summary.pages.length) })}
          </span>
          <input
            type="text"
            value={text}
            placeholder={t("fit.allPages")}
            aria-invalid={!range.ok}
            aria-describedby="fit-pages-words"
            onChange={(event) => setTyped({ ...typed, [summary.id]: event.target.value })}
          />
          {range.ok ? null : (
            <span className="field-fault">
              {range.reason === "outside"
                ? t("fit.rangeOutside", { count: summary.pages.length, pages: formatCount(summary.pages.length) })
                : t("fit.rangeSyntax")}
            </span>
          )}
        </label>
      ))}
      <p id="fit-pages-words" className="fit-words" role="status" data-fits={tried.measure?.fits ?? undefined}>
        {complete ? words : ""}
      </p>
      {proposal === null ? <p className="fit-words">{t("fit.noPageFits")}</p> : null}
      <Button submit kind="primary" disabled={!complete || tried.measure?.fits !== true}>
        {t("fit.usePages")}
      </Button>
    </form>
  );
}

type Tried = { readonly measure: PromptMeasure | null; readonly problem: Problem | null };

/** Counts a choice that is not taken yet, after a pause in the typing. */
function useTriedMeasure(tryChoices: readonly DocumentChoice[] | null): Tried {
  const session = useSession();
  const [tried, setTried] = useState<Tried>({ measure: null, problem: null });
  const key = JSON.stringify(tryChoices);
  const model = useModel((state) => state.current);
  useEffect(() => {
    setTried({ measure: null, problem: null });
    // The choices are new objects at every drawing; their text says whether they changed.
    const choices = z.array(documentChoiceSchema).nullable().parse(JSON.parse(key));
    if (choices === null || model === null) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      session.prompt.tryDocuments(choices, controller.signal).then(
        (measure) => setTried({ measure, problem: null }),
        (error: unknown) => {
          if (!controller.signal.aborted) setTried({ measure: null, problem: toProblem(error) });
        },
      );
    }, 250);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, model, session]);
  return tried;
}

type ContextChoiceProps = {
  readonly model: LoadedModel;
  readonly measure: PromptMeasure;
  readonly busy: boolean;
  readonly onDone: () => void;
};

function ContextChoice({ model, measure, busy, onDone }: ContextChoiceProps) {
  const { t } = useTranslation();
  const session = useSession();
  const trained = model.report.trainedContextLength;
  const [length, setLength] = useState(contextFor(measure, trained));
  if (trained <= model.contextLength) {
    return (
      <section className="fit-choice">
        <h3>{t("fit.context")}</h3>
        <p className="fit-words">{t("fit.contextLimit", { model: model.report.name, trained: formatCount(trained) })}</p>
      </section>
    );
  }
  const bytes = length * model.report.kvBytesPerToken[model.kvType];
  const enough = length >= neededTokens(measure);
  return (
    <form
      className="fit-choice"
      aria-label={t("fit.context")}
      onSubmit={(event) => {
        event.preventDefault();
        void session.model
          .loadOtherwise({ model: model.report.path, contextLength: length })
          .then((loaded) => (loaded ? onDone() : undefined));
      }}
    >
      <h3>{t("fit.context")}</h3>
      <label className="field">
        <span className="field-name">{t("model.contextLength")}</span>
        <input
          type="number"
          min={256}
          max={trained}
          step={256}
          value={length}
          onChange={(event) => setLength(Math.min(trained, Math.max(0, event.target.valueAsNumber || 0)))}
        />
      </label>
      <p className="fit-words" data-fits={enough}>
        {t(enough ? "fit.contextEnough" : "fit.contextShort", { bytes: formatBytes(bytes), trained: formatCount(trained) })}
      </p>
      <Button submit disabled={busy || length < 256}>
        {t("fit.useContext")}
      </Button>
    </form>
  );
}

type ModelChoiceProps = ContextChoiceProps & { readonly reports: readonly ModelReport[] };

function ModelChoice({ model, measure, reports, busy, onDone }: ModelChoiceProps) {
  const { t } = useTranslation();
  const session = useSession();
  const longer = reports.filter(
    (report) => report.id !== model.report.id && report.trainedContextLength > Math.max(model.contextLength, neededTokens(measure) - 1),
  );
  return (
    <section className="fit-choice">
      <h3>{t("fit.model")}</h3>
      {longer.length === 0 ? <p className="fit-words">{t("fit.noLongerModel")}</p> : null}
      <ul className="plain-list">
        {longer.map((report) => (
          <li key={report.path}>
            <Button
              disabled={busy || report.fit.verdict === "does-not-fit"}
              title={report.fit.sentence}
              onClick={() =>
                void session.model
                  .loadOtherwise({ model: report.path, contextLength: null })
                  .then((loaded) => (loaded ? onDone() : undefined))
              }
            >
              {t("fit.useModel", { name: report.name, trained: formatCount(report.trainedContextLength) })}
            </Button>
          </li>
        ))}
      </ul>
      <Button kind="quiet" onClick={() => session.showDialog("model")}>
        {t("model.choose")}
      </Button>
    </section>
  );
}
