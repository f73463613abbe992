import { AlertDialog } from "radix-ui";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type SnapshotForm, type SnapshotUsage, snapshotFormSchema } from "../../electron/contract/snapshots.ts";
import { useSession, useSnapshots } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { keepLaterFocus } from "../parts/laterFocus.ts";
import { formatBytes } from "../text/format.ts";
import { limitBytes } from "./snapshotLimit.ts";

/** What is typed and chosen; what is null was not touched. */
export type TypedSnapshots = { readonly limit: string | null; readonly form: SnapshotForm | null };

type SnapshotFieldsProps = {
  readonly limit: string;
  readonly form: SnapshotForm;
  readonly onChange: (change: Partial<TypedSnapshots>) => void;
};

/** The part of the settings about what is stored of documents that were read: how large, how large at most, how, and away with it. */
export function SnapshotFields({ limit, form, onChange }: SnapshotFieldsProps) {
  const { t } = useTranslation();
  const session = useSession();
  const usage = useSnapshots((state) => state.usage);
  const [clearing, setClearing] = useState(false);
  const limitId = useId();
  useEffect(() => void session.snapshots.refresh(), [session]);
  const bytes = limitBytes(limit);
  return (
    <fieldset className="settings-part" data-testid="snapshots">
      <legend>{t("snapshots.title")}</legend>
      <p className="field-hint">{t("snapshots.meaning")}</p>
      <UsageWords usage={usage} onClear={() => setClearing(true)} />
      <div className="fields">
        <div className="field">
          <label className="field-name" htmlFor={limitId}>
            {t("snapshots.limit")}
          </label>
          <input
            id={limitId}
            type="number"
            step="any"
            min={0}
            value={limit}
            disabled={usage === null}
            aria-invalid={bytes === null}
            aria-describedby={`${limitId}-hint`}
            onChange={(event) => onChange({ limit: event.target.value })}
          />
          <span id={`${limitId}-hint`} className={bytes === null ? "field-fault" : "field-hint"}>
            {t(bytes === null ? "snapshots.limitFault" : "snapshots.limitHint")}
          </span>
          {bytes !== null && usage !== null && bytes < usage.totalBytes ? (
            <span className="field-warning" role="status">
              {t(bytes === 0 ? "snapshots.limitNone" : "snapshots.limitLess", { size: formatBytes(usage.totalBytes - bytes) })}
            </span>
          ) : null}
        </div>
        <label className="field">
          <span className="field-name">{t("snapshots.form")}</span>
          <select
            value={form}
            disabled={usage === null}
            onChange={(event) => {
              const chosen = snapshotFormSchema.safeParse(event.target.value);
              if (chosen.success) onChange({ form: chosen.data });
            }}
          >
            {snapshotFormSchema.options.map((option) => (
              <option key={option} value={option}>
                {t(`snapshots.forms.${option}`)}
              </option>
            ))}
          </select>
          <span className="field-hint">{t(`snapshots.formHints.${form}`)}</span>
        </label>
      </div>
      {clearing && usage !== null ? <ClearDialog bytes={usage.totalBytes} onDone={() => setClearing(false)} /> : null}
    </fieldset>
  );
}

/** How much there is, in words and as a bar of the limit. */
function UsageWords({ usage, onClear }: { readonly usage: SnapshotUsage | null; readonly onClear: () => void }) {
  const { t } = useTranslation();
  if (usage === null) return <p className="field-hint">{t("snapshots.unknown")}</p>;
  const { totalBytes, settings, documents } = usage;
  const share = settings.budgetBytes === 0 ? 0 : Math.min(1, totalBytes / settings.budgetBytes);
  const words =
    totalBytes === 0
      ? t("snapshots.nothing")
      : t("snapshots.usage", { count: documents.length, size: formatBytes(totalBytes), limit: formatBytes(settings.budgetBytes) });
  return (
    <div className="stored">
      <p className="stored-words" title={usage.folder}>
        {words}
      </p>
      <Button disabled={totalBytes === 0} onClick={onClear}>
        {t("snapshots.clear")}
      </Button>
      <div className="stored-track" aria-hidden="true">
        <div className="stored-fill" style={{ width: `${100 * share}%` }} />
      </div>
    </div>
  );
}

function ClearDialog({ bytes, onDone }: { readonly bytes: number; readonly onDone: () => void }) {
  const { t } = useTranslation();
  const session = useSession();
  return (
    <AlertDialog.Root open onOpenChange={(open) => (open ? undefined : onDone())}>
      <AlertDialog.Portal>
        <div className="backdrop backdrop-over" aria-hidden="true" />
        <AlertDialog.Content onCloseAutoFocus={keepLaterFocus} className="dialog dialog-over">
          <AlertDialog.Title className="dialog-title">{t("snapshots.clearTitle")}</AlertDialog.Title>
          <AlertDialog.Description className="dialog-description">
            {t("snapshots.clearWarning", { size: formatBytes(bytes) })}
          </AlertDialog.Description>
          <div className="row row-end">
            <AlertDialog.Cancel asChild>
              <Button>{t("common.cancel")}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button kind="danger" onClick={() => void session.snapshots.clear(null)}>
                {t("snapshots.clearIt")}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
