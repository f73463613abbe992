import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelReport } from "../../electron/contract/model.ts";
import { useModel, useSession, useShell } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { ModalDialog } from "../parts/ModalDialog.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { ProgressBar } from "../parts/ProgressBar.tsx";
import { useProgressWords } from "../text/useProgressWords.ts";
import { CatalogueList } from "./CatalogueList.tsx";
import { LoadFields } from "./LoadFields.tsx";
import { readLoad, type TypedLoad, typedLoad } from "./loadForm.ts";
import { ModelOption, UnusableItem } from "./ModelList.tsx";
import { estimateFit, fullCacheTokens, type ModelFit, withFreed } from "./modelFit.ts";

/** Which model answers, how it is loaded, and where others come from. */
export function ModelDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const reports = useModel((state) => state.reports);
  const unusable = useModel((state) => state.unusable);
  const current = useModel((state) => state.current);
  const loading = useModel((state) => state.loading);
  const problem = useModel((state) => state.problem);
  const chosen = useModel((state) => state.chosen) ?? current?.report.path ?? null;
  const settings = useShell((state) => state.settings);
  const [form, setForm] = useState<TypedLoad>(() => typedLoad(settings, current?.kvType ?? settings.kvType));
  const [gpu, setGpu] = useState(false);
  const progress = useProgressWords(loading?.progress ?? null, t("model.loading"));
  useEffect(() => {
    void session.shelf.refresh();
    void session.model.about().then((about) => setGpu(about?.gpu != null));
    return () => session.stores.model.setState({ chosen: null });
  }, [session]);

  const listed = current === null || reports.some((report) => report.path === current.report.path) ? reports : [current.report, ...reports];
  const shown = listed.map((report) => withFreed(report, current));
  const selected = shown.find((report) => report.path === chosen) ?? null;
  const read = readLoad(form, selected, settings);
  const { kvType, budget, threads, gpuLayers, faults } = read;
  const windows = { mode: settings.mode, budget };
  const fitOf = (report: ModelReport): ModelFit => {
    // A length that is for another model is more than this one takes.
    const contextLength = read.contextLength === null ? null : Math.min(read.contextLength, report.trainedContextLength);
    const full = fullCacheTokens(report, { contextLength, kvType }, windows);
    return estimateFit(report, { contextLength: full ?? contextLength, kvType, budget });
  };
  const windowed = selected !== null && faults.size === 0 && fullCacheTokens(selected, read, windows) !== null;
  const close = (): void => session.showDialog(null);

  return (
    <ModalDialog title={t("model.title")} onClose={close} wide testId="model-dialog">
      <form
        className="model-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (selected === null || faults.size > 0) return;
          void session.changeSettings({ budget }).then(async () => {
            const request = { model: selected.path, contextLength: read.contextLength, kvType, threads, gpuLayers };
            if (await session.model.load(request)) close();
          });
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
              fit={fitOf(report)}
              loaded={report.path === current?.report.path ? current : null}
              onChoose={() => session.stores.model.setState({ chosen: report.path })}
            />
          ))}
          {unusable.map((model) => (
            <UnusableItem key={model.path} model={model} />
          ))}
        </fieldset>
        <div className="row">
          <Button onClick={() => void session.shelf.chooseFile()}>{t("model.chooseFile")}</Button>
          <span className="fit-words">{t("model.chooseHint")}</span>
        </div>
        <LoadFields
          form={form}
          read={read}
          selected={selected}
          windowed={windowed}
          gpu={gpu}
          onChange={(change) => setForm({ ...form, ...change })}
        />
        <CatalogueList />
        {loading === null ? null : (
          <ProgressBar label={progress.label} detail={progress.detail} fraction={progress.fraction} testId="model-progress" />
        )}
        {problem === null ? null : <ProblemText problem={problem} testId="model-problem" />}
        <div className="row row-end">
          <Button kind="quiet" onClick={() => session.showDialog("settings")}>
            {t("model.sampling")}
          </Button>
          <Button onClick={close}>{t("common.cancel")}</Button>
          <Button submit kind="primary" disabled={selected === null || loading !== null || faults.size > 0}>
            {t("model.load")}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}
