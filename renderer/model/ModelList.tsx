import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { LoadedModel, ModelReport, UnusableModel } from "../../electron/contract/model.ts";
import { useSession } from "../app/SessionContext.tsx";
import { Button, IconButton } from "../parts/Button.tsx";
import { formatBytes, formatCount } from "../text/format.ts";
import { useWords } from "../text/words.ts";
import type { ModelFit } from "./modelFit.ts";
import { moduleWords } from "./moduleWords.ts";

type ModelOptionProps = {
  readonly report: ModelReport;
  readonly checked: boolean;
  /** How it would fit as the form stands. */
  readonly fit: ModelFit;
  /** The model as it is loaded; null for those that are not. */
  readonly loaded: LoadedModel | null;
  readonly onChoose: () => void;
};

/** A model that can be chosen: what it is, whether it fits, which lookahead module it has, all before it is loaded. */
export function ModelOption({ report, checked, fit, loaded, onChoose }: ModelOptionProps) {
  const { t } = useTranslation();
  const { verdict } = fit;
  const option = useRef<HTMLDivElement>(null);
  // One that was just added or downloaded may be out of view.
  useEffect(() => {
    if (checked) option.current?.scrollIntoView({ block: "nearest" });
  }, [checked]);
  return (
    <div ref={option} className="model-option" data-verdict={verdict} data-testid="model-option">
      <label className="model-choice">
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
            {loaded === null ? null : ` · ${t("model.loaded")}`}
          </span>
          <span className="library-facts model-needs">
            {t(`model.needs.${verdict}`, {
              needed: formatBytes(fit.neededBytes),
              available: formatBytes(fit.availableBytes),
              length: formatCount(fit.contextLength),
            })}
          </span>
          <span className="library-facts">
            {t(fit.keptBytes === null ? "model.partsFull" : "model.partsKept", {
              weights: formatBytes(fit.weightBytes),
              full: formatBytes(fit.fullBytes),
              kept: formatBytes(fit.keptBytes ?? 0),
              other: formatBytes(fit.otherBytes),
            })}
          </span>
          {loaded === null ? null : (
            <span className="library-facts">
              {t("model.measured", { full: formatBytes(loaded.cacheBytes), length: formatCount(loaded.contextLength) })}
            </span>
          )}
          <span className="library-facts">{t("model.module", { module: moduleWords(loaded?.lookahead ?? report.lookahead, t) })}</span>
          {report.hasChatTemplate ? null : <span className="library-facts">{t("model.noTemplate")}</span>}
        </span>
      </label>
      {loaded === null && (report.origin === "added" || report.origin === "downloaded") ? (
        <RemoveModel path={report.path} name={report.name} bytes={report.origin === "downloaded" ? report.fileBytes : null} />
      ) : null}
    </div>
  );
}

/** A file on the list that is no model any more, or never was: what is wrong, and the way off the list. */
export function UnusableItem({ model }: { readonly model: UnusableModel }) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <div className="model-option" data-testid="unusable-model" data-code={model.problem.code}>
      <span className="model-option-body">
        <span className="model-option-name">
          <span className="truncate">{model.name}</span>
          <span className="pill pill-does-not-fit">{t("model.unusable")}</span>
        </span>
        <span className="library-facts" title={model.path}>
          {words(model.problem)}
        </span>
      </span>
      {model.origin === "added" || model.origin === "downloaded" ? (
        <RemoveModel path={model.path} name={model.name} bytes={model.origin === "downloaded" ? 0 : null} />
      ) : null}
    </div>
  );
}

type RemoveModelProps = {
  readonly path: string;
  readonly name: string;
  /** Length of a file that is deleted with it, which is asked about; null where the file stays. */
  readonly bytes: number | null;
};

function RemoveModel({ path, name, bytes }: RemoveModelProps) {
  const { t } = useTranslation();
  const session = useSession();
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <IconButton
        label={t(bytes === null ? "model.remove" : "model.delete", { name })}
        onClick={() => (bytes === null ? void session.shelf.remove(path) : setAsking(true))}
      >
        <X aria-hidden="true" size={14} />
      </IconButton>
    );
  }
  return (
    <div className="model-remove" role="group" aria-label={t("model.delete", { name })}>
      <Button kind="danger" onClick={() => void session.shelf.remove(path)}>
        {t("model.deleteNow", { size: formatBytes(bytes ?? 0) })}
      </Button>
      <Button kind="quiet" onClick={() => setAsking(false)}>
        {t("common.cancel")}
      </Button>
    </div>
  );
}
