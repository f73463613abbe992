import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { KvType, ModelReport } from "../../electron/contract/model.ts";
import { useShell } from "../app/SessionContext.tsx";
import { leastBudget } from "../budget/budget.ts";
import { formatBytes, formatCount } from "../text/format.ts";
import type { ReadLoad, TypedLoad } from "./loadForm.ts";

const kvTypes: readonly KvType[] = ["f16", "q8_0", "q4_0"];

type LoadFieldsProps = {
  readonly form: TypedLoad;
  readonly read: ReadLoad;
  readonly selected: ModelReport | null;
  /** Whether the context is longer than memory, which reading in windows does not need. */
  readonly windowed: boolean;
  /** Whether the native build has a GPU. */
  readonly gpu: boolean;
  readonly onChange: (change: Partial<TypedLoad>) => void;
};

/** How a model is loaded, and what an answer keeps of its cache. */
export function LoadFields({ form, read, selected, windowed, gpu, onChange }: LoadFieldsProps) {
  const { t } = useTranslation();
  const policy = useShell((state) => state.settings.policy);
  const { faults } = read;
  const contextFault = faults.has("context") || faults.has("contextTooLong");
  const contextHint = (): string => {
    if (faults.has("context")) return t("model.contextOutside");
    if (windowed) return t("model.contextWindowed");
    if (selected === null) return t("model.contextHint");
    return t(faults.has("contextTooLong") ? "model.contextTooLong" : "model.contextCost", {
      trained: formatCount(selected.trainedContextLength),
      bytes: formatBytes(selected.kvBytesPerToken[form.kvType] * (read.contextLength ?? selected.trainedContextLength)),
    });
  };
  return (
    <div className="fields">
      <NumberField
        label={t("model.contextLength")}
        value={form.context}
        empty={t("model.automatic")}
        fault={contextFault}
        hint={contextHint()}
        onChange={(context) => onChange({ context })}
      />
      <label className="field">
        <span className="field-name">{t("model.kvType")}</span>
        <select
          value={form.kvType}
          onChange={(event) => onChange({ kvType: kvTypes.find((type) => type === event.target.value) ?? "f16" })}
        >
          {kvTypes.map((type) => (
            <option key={type} value={type}>
              {t(`model.kvTypes.${type}`)}
            </option>
          ))}
        </select>
        <span className="field-hint">{t(`model.kvHints.${form.kvType}`)}</span>
      </label>
      <NumberField
        label={t("model.budget")}
        value={form.budget}
        empty={t("model.budgetAll")}
        fault={faults.has("budget")}
        hint={t(faults.has("budget") ? "model.budgetOutside" : "model.budgetHint", { least: formatCount(leastBudget(policy)) })}
        onChange={(budget) => onChange({ budget })}
      />
      <NumberField
        label={t("model.threads")}
        value={form.threads}
        empty={t("model.automatic")}
        fault={faults.has("threads")}
        hint={t(faults.has("threads") ? "model.threadsOutside" : "model.threadsHint")}
        onChange={(threads) => onChange({ threads })}
      />
      {gpu ? (
        <NumberField
          label={t("model.gpuLayers")}
          value={form.gpuLayers}
          empty={t("model.gpuLayersAll")}
          fault={faults.has("gpuLayers")}
          hint={t(faults.has("gpuLayers") ? "model.gpuLayersOutside" : "model.gpuLayersHint", {
            layers: selected === null ? "" : formatCount(selected.layers),
          })}
          onChange={(gpuLayers) => onChange({ gpuLayers })}
        />
      ) : null}
    </div>
  );
}

type NumberFieldProps = {
  readonly label: string;
  readonly value: string;
  /** What no number means. */
  readonly empty: string;
  readonly fault: boolean;
  readonly hint: ReactNode;
  readonly onChange: (digits: string) => void;
};

function NumberField({ label, value, empty, fault, hint, onChange }: NumberFieldProps) {
  return (
    <label className="field">
      <span className="field-name">{label}</span>
      <input
        type="text"
        inputMode="numeric"
        value={value}
        placeholder={empty}
        aria-invalid={fault}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, ""))}
      />
      <span className={fault ? "field-fault" : "field-hint"}>{hint}</span>
    </label>
  );
}
