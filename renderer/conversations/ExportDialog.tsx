import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import { type Problem, toProblem } from "../../electron/contract/errors.ts";
import { type ExportFormat, exportFormatSchema } from "../../electron/contract/export.ts";
import { useConversations, useSession } from "../app/SessionContext.tsx";
import { heatOf } from "../budget/budget.ts";
import { useChoice } from "../budget/choice.ts";
import { useCircumstances } from "../budget/circumstances.ts";
import { Button } from "../parts/Button.tsx";
import { ModalDialog } from "../parts/ModalDialog.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { ProgressBar } from "../parts/ProgressBar.tsx";
import { language } from "../text/i18n.ts";
import { useProgressWords } from "../text/useProgressWords.ts";

/** Saves the conversation in view as a file: its format, and for HTML whether the documents follow, shaded. */
export function ExportDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const conversation = useConversations((state) => state.current);
  const choice = useChoice();
  const circumstances = useCircumstances();
  const [format, setFormat] = useState<ExportFormat>("markdown");
  const [shaded, setShaded] = useState(false);
  const [saving, setSaving] = useState<{ readonly progress: ProgressEvent | null } | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const words = useProgressWords(saving?.progress ?? null, t("export.working"));
  const last = conversation?.turns.at(-1);
  const canShade = format === "html" && circumstances.model !== null && circumstances.documents > 0 && last !== undefined;
  const save = async (conversationId: string): Promise<void> => {
    const mine = new AbortController();
    controller.current = mine;
    setSaving({ progress: null });
    setProblem(null);
    setSaved(null);
    try {
      const heat = canShade && shaded ? heatOf(choice, circumstances, last.figures) : null;
      const { name, text } = await session.context.engine(
        "exportConversation",
        { conversationId, format, language: language(), heat },
        { signal: mine.signal, onEvent: (event) => (event.event === "progress" ? setSaving({ progress: event }) : undefined) },
      );
      const { path } = await session.context.shell("saveText", { name, format, text });
      setSaved(path);
    } catch (error) {
      if (!mine.signal.aborted) setProblem(toProblem(error));
    } finally {
      setSaving(null);
    }
  };
  return (
    <ModalDialog title={t("export.title")} description={t("export.meaning")} onClose={() => session.showDialog(null)}>
      <form
        className="export-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (conversation !== null) void save(conversation.id);
        }}
      >
        <fieldset disabled={saving !== null}>
          <legend>{t("export.format")}</legend>
          {exportFormatSchema.options.map((option) => (
            <label key={option} className="export-choice">
              <input type="radio" name="format" value={option} checked={format === option} onChange={() => setFormat(option)} />
              <span>
                {t(`export.names.${option}`)}
                <small>{t(`export.meanings.${option}`)}</small>
              </span>
            </label>
          ))}
          <label className="export-choice">
            <input
              type="checkbox"
              disabled={!canShade}
              checked={canShade && shaded}
              onChange={(event) => setShaded(event.target.checked)}
            />
            <span>
              {t("export.shaded")}
              <small>{t("export.shadedMeaning")}</small>
            </span>
          </label>
        </fieldset>
        {saving?.progress == null ? null : (
          <ProgressBar label={words.label} detail={words.detail} fraction={words.fraction} testId="export-progress" />
        )}
        {problem === null ? null : <ProblemText problem={problem} />}
        <p role="status" className="export-saved">
          {saved === null ? "" : t("export.saved", { path: saved })}
        </p>
        <div className="row row-end">
          <Button onClick={() => (saving === null ? session.showDialog(null) : controller.current.abort())}>
            {t(saving === null ? "common.close" : "common.cancel")}
          </Button>
          <Button kind="primary" submit disabled={saving !== null || last === undefined}>
            {t("export.save")}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}
