import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Budget } from "../../electron/contract/conversation.ts";
import { formatCount } from "../text/format.ts";
import { parseBudget, stopBeside } from "./budget.ts";

type BudgetFieldProps = {
  readonly budget: Budget;
  readonly stops: readonly Budget[];
  /** The least budget that may be typed, and the policy that asks for it. */
  readonly least: number;
  readonly policy: string;
  readonly onChoose: (budget: Budget) => void;
};

/** The budget as a number: typed and taken over by Enter or on leaving, or stepped by the arrow keys. */
export function BudgetField({ budget, stops, least, policy, onChoose }: BudgetFieldProps) {
  const { t } = useTranslation();
  const all = t("budget.all");
  const [typed, setTyped] = useState<string | null>(null);
  const refusalId = useId();
  const parsed = typed === null ? null : parseBudget(typed, { least, all });
  // Half a number is no mistake yet: it is refused once it is meant.
  const [refused, setRefused] = useState(false);
  const refusal = refused && parsed !== null && "obstacle" in parsed ? parsed.obstacle : null;

  const take = (leaving: boolean): void => {
    if (parsed === null) return;
    if ("budget" in parsed) {
      setTyped(null);
      if (parsed.budget !== budget) onChoose(parsed.budget);
    } else if (leaving) setTyped(null);
    setRefused(!leaving);
  };
  const key = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") take(false);
    else if (event.key === "Escape" && typed !== null) setTyped(null);
    else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      setTyped(null);
      onChoose(stopBeside(stops, parsed !== null && "budget" in parsed ? parsed.budget : budget, event.key === "ArrowUp" ? 1 : -1));
    } else return;
    event.preventDefault();
  };
  return (
    <span className="budget-field">
      <input
        type="text"
        inputMode="numeric"
        role="spinbutton"
        aria-label={t("budget.field")}
        aria-valuemin={least}
        aria-valuenow={budget === "full" ? undefined : budget}
        aria-valuetext={budget === "full" ? t("budget.fullText") : t("budget.tokens", { tokens: formatCount(budget) })}
        aria-invalid={refusal !== null}
        aria-describedby={refusalId}
        title={t("budget.fieldMeaning", { all })}
        value={typed ?? (budget === "full" ? all : String(budget))}
        size={7}
        data-testid="budget-field"
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setRefused(false);
          setTyped(event.target.value);
        }}
        onBlur={() => take(true)}
        onKeyDown={key}
      />
      <span id={refusalId} className={refusal === null ? "visually-hidden" : "budget-refusal"} role="alert">
        {refusal === null ? "" : t(`budget.refused.${refusal}`, { least: formatCount(least), policy, all })}
      </span>
    </span>
  );
}
