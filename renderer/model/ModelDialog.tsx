import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { KvType, LoadedModel, ModelReport } from "../../electron/contract/model.ts";
import { useModel, useSession, useShell } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { ModalDialog } from "../parts/ModalDialog.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { ProgressBar } from "../parts/ProgressBar.tsx";
import { formatBytes, formatCount } from "../text/format.ts";
import { useProgressWords } from "../text/useProgressWords.ts";
import { estimateFit, fullCacheTokens, type ModelFit } from "./modelFit.ts";
import { moduleWords } from "./moduleWords.ts";

const kvTypes: readonly KvType[] = ["f16", "q8_0", "q4_0"];

/** What the engine takes; the window says so before it is asked. */
const contextLimits = { least: 256, most: 4_194_304 } as const;
const threadLimits = { least: 1, most: 512 } as const;

/** Digits as a number within limits; null for an empty field, which is automatic. */
function readNumber(text: string, { least, most }: { readonly least: number; readonly most: number }) {
  if (text === "") return { value: null, outside: false };
  const value = Number(text);
  return { value, outside: value < least || value > most };
}

/** Which model answers, and how it is loaded. */
export function ModelDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const reports = useModel((state) => state.reports);
  const current = useModel((state) => state.current);
  const loading = useModel((state) => state.loading);
  const problem = useModel((state) => state.problem);
  const settings = useShell((state) => state.settings);
  const [chosen, setChosen] = useState<string | null>(current?.report.path ?? null);
  const [context, setContext] = useState(settings.contextLength === null ? "" : String(settings.contextLength));
  const [kvType, setKvType] = useState<KvType>(current?.kvType ?? settings.kvType);
  const [threads, setThreads] = useState(settings.threads === null ? "" : String(settings.threads));
  const progress = useProgressWords(loading?.progress ?? null, t("model.loading"));
  useEffect(() => void session.model.listModels(), [session]);

  const shown = current === null || reports.some((report) => report.path === current.report.path) ? reports : [current.report, ...reports];
  const selected = shown.find((report) => report.path === chosen) ?? null;
  const { value: contextLength, outside: contextOutside } = readNumber(context, contextLimits);
  const { value: threadCount, outside: threadsOutside } = readNumber(threads, threadLimits);
  const tooLong = selected !== null && contextLength !== null && contextLength > selected.trainedContextLength;
  const contextFault = contextOutside || tooLong;
  const windowed = selected !== null && !contextFault && fullCacheTokens(selected, { contextLength, kvType }, settings) !== null;
  const close = (): void => session.showDialog(null);

  return (
    <ModalDialog title={t("model.title")} onClose={close} wide>
      <form
        className="model-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (selected === null || contextFault || threadsOutside) return;
          void session.model
            .load({ model: selected.path, contextLength, kvType, threads: threadCount })
            .then((loaded) => (loaded ? close() : undefined));
        }}
      >
        <fieldset className="model-list">
          <legend>{t("model.models")}</legend>
          {shown.length === 0 ? <p className="fit-words">{t("model.none")}</p> : null}
          {shown.map((report) => (
            <ModelOption
              key={report.path}
              report={report}
              checked={report.path === chosen}
              fit={
                report.path === chosen && !contextFault
                  ? estimateFit(report, fullCacheTokens(report, { contextLength, kvType }, settings) ?? contextLength, kvType)
                  : null
              }
              loaded={report.path === current?.report.path ? current : null}
              onChoose={() => setChosen(report.path)}
            />
          ))}
        </fieldset>
        <div>
          <Button
            onClick={() =>
              void session.model.chooseFile().then((path) => {
                if (path !== null) setChosen(path);
              })
            }
          >
            {t("model.chooseFile")}
          </Button>
        </div>
        <div className="fields">
          <label className="field">
            <span className="field-name">{t("model.contextLength")}</span>
            <input
              type="text"
              inputMode="numeric"
              value={context}
              placeholder={t("model.automatic")}
              aria-invalid={contextFault}
              onChange={(event) => setContext(event.target.value.replace(/\D/g, ""))}
            />
            <span className={contextFault ? "field-fault" : "field-hint"}>
              {contextOutside
                ? t("model.contextOutside")
                : windowed
                  ? t("model.contextWindowed")
                  : selected === null
                    ? t("model.contextHint")
                    : t(tooLong ? "model.contextTooLong" : "model.contextCost", {
                        trained: formatCount(selected.trainedContextLength),
                        bytes: formatBytes(selected.kvBytesPerToken[kvType] * (contextLength ?? selected.trainedContextLength)),
                      })}
            </span>
          </label>
          <label className="field">
            <span className="field-name">{t("model.kvType")}</span>
            <select value={kvType} onChange={(event) => setKvType(kvTypes.find((type) => type === event.target.value) ?? "f16")}>
              {kvTypes.map((type) => (
                <option key={type} value={type}>
                  {t(`model.kvTypes.${type}`)}
                </option>
              ))}
            </select>
            <span className="field-hint">{t(`model.kvHints.${kvType}`)}</span>
          </label>
          <label className="field">
            <span className="field-name">{t("model.threads")}</span>
            <input
              type="text"
              inputMode="numeric"
              value={threads}
              placeholder={t("model.automatic")}
              aria-invalid={threadsOutside}
              onChange={(event) => setThreads(event.target.value.replace(/\D/g, ""))}
            />
            <span className={threadsOutside ? "field-fault" : "field-hint"}>
              {t(threadsOutside ? "model.threadsOutside" : "model.threadsHint")}
            </span>
          </label>
        </div>
        {loading === null ? null : (
          <ProgressBar label={progress.label} detail={progress.detail} fraction={progress.fraction} testId="model-progress" />
        )}
        {problem === null ? null : <ProblemText problem={problem} />}
        <div className="row row-end">
          <Button onClick={close}>{t("common.cancel")}</Button>
          <Button submit kind="primary" disabled={selected === null || loading !== null || contextFault || threadsOutside}>
            {t("model.load")}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}

type ModelOptionProps = {
  readonly report: ModelReport;
  readonly checked: boolean;
  /** How it would fit as the form stands; null where the engine's own sentence is to be shown. */
  readonly fit: ModelFit | null;
  /** The model as it is loaded; null for those that are not: their modules are looked for when they are loaded. */
  readonly loaded: LoadedModel | null;
  readonly onChoose: () => void;
};

function ModelOption({ report, checked, fit, loaded, onChoose }: ModelOptionProps) {
  const { t } = useTranslation();
  const { verdict } = fit ?? report.fit;
  const sentence =
    fit === null
      ? report.fit.sentence
      : t(`model.needs.${verdict}`, {
          needed: formatBytes(fit.neededBytes),
          available: formatBytes(fit.availableBytes),
          length: formatCount(fit.contextLength),
        });
  return (
    <label className="model-option" data-verdict={verdict}>
      <input type="radio" name="model" checked={checked} onChange={onChoose} />
      <span className="model-option-body">
        <span className="model-option-name">
          <span className="truncate">{report.name}</span>
          <span className={`pill pill-${verdict}`}>{t(`model.verdicts.${verdict}`)}</span>
        </span>
        <span className="library-facts">
          {t("model.facts", {
            quantisation: report.quantisation,
            size: formatBytes(report.fileBytes),
            trained: formatCount(report.trainedContextLength),
          })}
        </span>
        <span className="library-facts">{sentence}</span>
        {loaded === null ? null : <span className="library-facts">{t("model.module", { module: moduleWords(loaded.lookahead, t) })}</span>}
        {report.hasChatTemplate ? null : <span className="library-facts">{t("model.noTemplate")}</span>}
      </span>
    </label>
  );
}
