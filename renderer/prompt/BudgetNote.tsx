import { useTranslation } from "react-i18next";
import { usePrompt } from "../app/SessionContext.tsx";
import { evictionOf } from "../budget/budget.ts";
import { useChoice } from "../budget/choice.ts";
import { useCircumstances } from "../budget/circumstances.ts";

/** Where a prompt does not fit and a budget is chosen: that the budget is of no help, as all is read before anything is freed. */
export function BudgetNote() {
  const { t } = useTranslation();
  const choice = useChoice();
  const { mode } = evictionOf(choice, useCircumstances());
  const tooLong = usePrompt((state) => state.measured?.measure.fits === false);
  if (choice.budget === "full" || !tooLong) return null;
  return <p className="fit-words">{t(mode === "streaming" ? "fit.streaming" : "fit.budget")}</p>;
}
