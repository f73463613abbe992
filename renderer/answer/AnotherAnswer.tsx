import { SlidersHorizontal } from "lucide-react";
import { Popover } from "radix-ui";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Budget, budgetSchema, cacheModeSchema, type Turn } from "../../electron/contract/conversation.ts";
import { choosingPolicySchema } from "../../electron/contract/policies.ts";
import { useSession } from "../app/SessionContext.tsx";
import { budgetStops, leastBudget } from "../budget/budget.ts";
import { useChoice } from "../budget/choice.ts";
import { modeObstacle, policyObstacle, usedChoice } from "../budget/choices.ts";
import { useCircumstances } from "../budget/circumstances.ts";
import { Button } from "../parts/Button.tsx";
import { PopoverLayer } from "../parts/Layers.tsx";
import { formatCount } from "../text/format.ts";

type AnotherAnswerProps = {
  readonly turn: Turn;
  /** What the answer was made with, where that is what is pressed; else there is a button with a picture. */
  readonly words?: string;
};

/** Asks a question again with another budget, policy or mode, for this answer alone: what is set for the next questions stays. */
export function AnotherAnswer({ turn, words }: AnotherAnswerProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      {words === undefined ? (
        <Popover.Trigger className="icon-button" aria-label={t("anotherAnswer.open")} title={t("anotherAnswer.open")}>
          <SlidersHorizontal aria-hidden="true" size={14} />
        </Popover.Trigger>
      ) : (
        <Popover.Trigger
          className="figures-choice"
          aria-label={t("anotherAnswer.change", { words })}
          title={t("anotherAnswer.change", { words })}
        >
          {words}
        </Popover.Trigger>
      )}
      <PopoverLayer align="end" sideOffset={4} label={t("anotherAnswer.open")}>
        <AnotherAnswerForm turn={turn} onDone={() => setOpen(false)} />
      </PopoverLayer>
    </Popover.Root>
  );
}

function AnotherAnswerForm({ turn, onDone }: { readonly turn: Turn; readonly onDone: () => void }) {
  const { t } = useTranslation();
  const session = useSession();
  const now = useChoice();
  const { figures } = turn;
  // What the answer was made with, where it was chosen: one thing is to be changed, and not all that was set since.
  const chosen =
    figures === null || figures.policy === "full" ? now : { ...now, budget: figures.budget, policy: figures.policy, mode: figures.mode };
  const circumstances = useCircumstances();
  const [budget, setBudget] = useState<Budget>(chosen.budget);
  const [policy, setPolicy] = useState(chosen.policy);
  const [mode, setMode] = useState(chosen.mode);
  const used = usedChoice({ ...chosen, policy, mode }, circumstances);
  const prompt = figures?.promptTokens ?? circumstances.model?.contextLength ?? 4096;
  const stops = budgetStops(prompt, leastBudget(used.policy), [chosen.budget, budget]);
  return (
    <form
      className="popover-form"
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
        void session.regenerate(turn.id, { budget, policy, mode });
      }}
    >
      <label>
        {t("budget.name")}
        <select
          value={String(budget)}
          onChange={({ target }) => {
            const parsed = budgetSchema.safeParse(target.value === "full" ? "full" : Number(target.value));
            if (parsed.success) setBudget(parsed.data);
          }}
        >
          {stops.map((stop) => (
            <option key={stop} value={String(stop)}>
              {stop === "full" ? t("budget.everything") : t("budget.tokens", { tokens: formatCount(stop) })}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("anotherAnswer.policy")}
        <select
          value={used.policy}
          disabled={budget === "full"}
          onChange={({ target }) => {
            const parsed = choosingPolicySchema.safeParse(target.value);
            if (parsed.success) setPolicy(parsed.data);
          }}
        >
          {choosingPolicySchema.options.map((option) => (
            <option key={option} value={option} disabled={policyObstacle(option, used.mode, circumstances) !== null}>
              {t(`policies.names.${option}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("anotherAnswer.mode")}
        <select
          value={used.mode}
          disabled={budget === "full"}
          onChange={({ target }) => {
            const parsed = cacheModeSchema.safeParse(target.value);
            if (parsed.success) setMode(parsed.data);
          }}
        >
          {cacheModeSchema.options.map((option) => (
            <option key={option} value={option} disabled={modeObstacle(option, used.policy) !== null}>
              {t(`modes.names.${option}`)}
            </option>
          ))}
        </select>
      </label>
      <p className="popover-note">{t("anotherAnswer.meaning")}</p>
      <Button kind="primary" submit>
        {t("anotherAnswer.ask")}
      </Button>
    </form>
  );
}
