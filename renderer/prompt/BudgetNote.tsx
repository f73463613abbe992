import { useTranslation } from "react-i18next";
import { usePrompt, useShell } from "../app/SessionContext.tsx";

/** Where a prompt does not fit and a budget is chosen: that the budget is of no help, as all is read before anything is freed. */
export function BudgetNote() {
  const { t } = useTranslation();
  const evicts = useShell((state) => state.settings.budget !== "full");
  const tooLong = usePrompt((state) => state.measured?.measure.fits === false);
  return evicts && tooLong ? <p className="fit-words">{t("fit.budget")}</p> : null;
}
