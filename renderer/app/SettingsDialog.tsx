import { useState } from "react";
import { useTranslation } from "react-i18next";
import { defaultSampling, type Sampling, samplingSchema } from "../../electron/contract/conversation.ts";
import { snapshotSettingsSchema } from "../../electron/contract/snapshots.ts";
import { Button } from "../parts/Button.tsx";
import { ModalDialog } from "../parts/ModalDialog.tsx";
import { SnapshotFields, type TypedSnapshots } from "../snapshots/SnapshotFields.tsx";
import { limitBytes, limitText } from "../snapshots/snapshotLimit.ts";
import { formatCount } from "../text/format.ts";
import { DataFields } from "./DataFields.tsx";
import { useModel, useSession, useShell, useSnapshots } from "./SessionContext.tsx";
import { WindowFields } from "./WindowFields.tsx";

type NumberName = "maxTokens" | "temperature" | "topP" | "topK" | "minP";
const numberFields: readonly { readonly name: NumberName; readonly step: number }[] = [
  { name: "maxTokens", step: 1 },
  { name: "temperature", step: 0.1 },
  { name: "topP", step: 0.05 },
  { name: "topK", step: 1 },
  { name: "minP", step: 0.01 },
];

const defaultSnapshots = snapshotSettingsSchema.parse({});

/** Looks, how the model picks its words, and what is stored of documents. */
export function SettingsDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const settings = useShell((state) => state.settings);
  const [typed, setTyped] = useState<Readonly<Record<NumberName | "seed", string>>>(() => textsOf(settings.sampling));
  const snapshots = useSnapshots((state) => state.usage?.settings ?? defaultSnapshots);
  const [typedSnapshots, setTypedSnapshots] = useState<TypedSnapshots>({ limit: null, form: null });
  const limit = typedSnapshots.limit ?? limitText(snapshots.budgetBytes);
  const form = typedSnapshots.form ?? snapshots.form;
  const budgetBytes = limitBytes(limit);
  const context = useModel((state) => state.current?.contextLength ?? null);
  const parsed = samplingSchema.safeParse({
    ...settings.sampling,
    maxTokens: numberOf(typed.maxTokens),
    temperature: numberOf(typed.temperature),
    topP: numberOf(typed.topP),
    topK: numberOf(typed.topK),
    minP: numberOf(typed.minP),
    seed: numberOf(typed.seed),
  });
  const faults = new Set(parsed.success ? [] : parsed.error.issues.map((issue) => String(issue.path[0])));
  const tooLong = context !== null && !faults.has("maxTokens") && Number(typed.maxTokens) >= context;
  return (
    <ModalDialog title={t("settings.title")} onClose={() => session.showDialog(null)}>
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!parsed.success || budgetBytes === null) return;
          void session.changeSettings({ sampling: parsed.data });
          const change = {
            ...(typedSnapshots.limit === null || budgetBytes === snapshots.budgetBytes ? {} : { budgetBytes }),
            ...(form === snapshots.form ? {} : { form }),
          };
          if (Object.keys(change).length > 0) void session.snapshots.configure(change);
          session.showDialog(null);
        }}
      >
        <WindowFields />
        <fieldset className="fields">
          <legend>{t("settings.answers")}</legend>
          {numberFields.map(({ name, step }) => (
            <label key={name} className="field">
              <span className="field-name">{t(`settings.${name}`)}</span>
              <input
                type="number"
                step={step}
                min={0}
                value={typed[name]}
                aria-invalid={faults.has(name)}
                onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
              />
              <span className={faults.has(name) ? "field-fault" : "field-hint"}>
                {t(faults.has(name) ? `settings.faults.${name}` : `settings.hints.${name}`)}
              </span>
              {name === "maxTokens" && tooLong ? (
                <span className="field-warning" role="status">
                  {t("settings.longerThanContext", { length: formatCount(context) })}
                </span>
              ) : null}
            </label>
          ))}
          <label className="field">
            <span className="field-name">{t("settings.seed")}</span>
            <input
              type="text"
              inputMode="numeric"
              value={typed.seed}
              placeholder={t("settings.seedNone")}
              aria-invalid={faults.has("seed")}
              onChange={(event) => setTyped({ ...typed, seed: event.target.value.replace(/\D/g, "") })}
            />
            <span className={faults.has("seed") ? "field-fault" : "field-hint"}>
              {t(faults.has("seed") ? "settings.faults.seed" : "settings.hints.seed")}
            </span>
          </label>
        </fieldset>
        <SnapshotFields limit={limit} form={form} onChange={(change) => setTypedSnapshots({ ...typedSnapshots, ...change })} />
        <DataFields />
        <div className="row row-end">
          <Button kind="quiet" onClick={() => setTyped(textsOf(defaultSampling))}>
            {t("settings.defaults")}
          </Button>
          <Button onClick={() => session.showDialog(null)}>{t("common.cancel")}</Button>
          <Button kind="primary" submit disabled={!parsed.success || budgetBytes === null}>
            {t("settings.save")}
          </Button>
        </div>
      </form>
    </ModalDialog>
  );
}

/** An empty field is no number: not even 0. */
function numberOf(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

function textsOf(sampling: Sampling): Record<NumberName | "seed", string> {
  return {
    maxTokens: String(sampling.maxTokens),
    temperature: String(sampling.temperature),
    topP: String(sampling.topP),
    topK: String(sampling.topK),
    minP: String(sampling.minP),
    seed: sampling.seed === null ? "" : String(sampling.seed),
  };
}
