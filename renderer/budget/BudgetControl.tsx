import { Slider } from "radix-ui";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Budget } from "../../electron/contract/conversation.ts";
import type { LoadedModel } from "../../electron/contract/model.ts";
import { useHeat, usePrompt, useSession } from "../app/SessionContext.tsx";
import { formatBytes, formatCount, formatShare } from "../text/format.ts";
import { BudgetField } from "./BudgetField.tsx";
import { budgetStops, leastBudget, promptToKeep } from "./budget.ts";
import { useChoice } from "./choice.ts";
import { usedChoice } from "./choices.ts";
import { useCircumstances } from "./circumstances.ts";
import { ModeMenu } from "./ModeMenu.tsx";
import { PolicyMenu } from "./PolicyMenu.tsx";
import { ShareMenu } from "./ShareMenu.tsx";

/** How much of the prompt an answer keeps: in tokens and percent, on a slider, and what chooses it, when, and for which document. */
export function BudgetControl({ model }: { readonly model: LoadedModel }) {
  const { t } = useTranslation();
  const session = useSession();
  const choice = useChoice();
  const circumstances = useCircumstances();
  const used = usedChoice(choice, { ...circumstances, model });
  const prompt = usePrompt((state) => promptToKeep(state.measured?.measure ?? null));
  // While it is dragged, nothing is remembered yet.
  const [dragged, setDragged] = useState<Budget | null>(null);
  // A key is remembered at once. Radix tells of the change after that: taken for a drag it would never end.
  const held = useRef(false);
  const budget = dragged ?? choice.budget;
  const least = leastBudget(used.policy);
  const stops = budgetStops(prompt ?? model.contextLength, least, [choice.budget, budget]);
  // The percentage is of what the inspector tells of, where there is that: the last answer's prompt, not the next question's.
  const scored = useHeat(({ subject }) => (subject.status === "ready" ? subject.importance.promptTokens : null));
  const words = useBudgetWords(budget, { shareOf: scored ?? prompt, longest: Math.max(scored ?? 0, prompt ?? 0) });
  const meaning = t("budget.meaning");
  const meaningId = useId();
  return (
    <>
      <Slider.Root
        className="budget-slider"
        min={0}
        max={stops.length - 1}
        step={1}
        value={[stops.indexOf(budget)]}
        onPointerDown={() => {
          held.current = true;
        }}
        onValueChange={([stop = -1]) => {
          if (!held.current) return;
          const wanted = stops[stop] ?? null;
          setDragged(wanted);
          if (wanted !== null) session.heat.preview(wanted === "full" ? null : wanted);
        }}
        onValueCommit={([stop = -1]) => {
          setDragged(null);
          void session.changeChoice({ budget: stops[stop] ?? "full" });
        }}
        onLostPointerCapture={() => {
          held.current = false;
          setDragged(null);
          session.heat.endPreview();
        }}
      >
        <Slider.Track className="budget-track">
          <Slider.Range className="budget-range" />
        </Slider.Track>
        <Slider.Thumb
          className="budget-thumb"
          aria-label={t("budget.name")}
          aria-valuetext={words.read}
          aria-describedby={meaningId}
          title={meaning}
          data-budget={budget}
        />
      </Slider.Root>
      <span id={meaningId} hidden>
        {meaning}
      </span>
      <BudgetField
        budget={budget}
        stops={stops}
        least={least}
        policy={t(`policies.names.${used.policy}`)}
        onChoose={(chosen) => void session.changeChoice({ budget: chosen })}
      />
      <span
        className="budget-words"
        title={scored === null ? meaning : t("budget.shareMeaning", { tokens: formatCount(scored), meaning })}
        data-testid="budget"
      >
        {words.shown}
      </span>
      <BudgetBytes budget={budget} prompt={prompt} dragged={dragged !== null} fullBytes={model.cacheBytes} />
      {budget === "full" ? null : (
        <>
          <PolicyMenu model={model} used={used} />
          <ModeMenu used={used} />
          {circumstances.documents > 1 ? <ShareMenu used={used} /> : null}
        </>
      )}
    </>
  );
}

type Prompts = {
  /** Tokens of the prompt that a percentage is of; null while none is known. */
  readonly shareOf: number | null;
  /** Tokens of the longest prompt there is: what a budget must cover for nothing to be evicted. */
  readonly longest: number;
};

/** A budget in words, as they are shown behind its number and as they are read out. */
function useBudgetWords(budget: Budget, { shareOf, longest }: Prompts): { readonly shown: string; readonly read: string } {
  const { t } = useTranslation();
  if (budget === "full") return { shown: t("budget.everything"), read: t("budget.fullText") };
  const tokens = formatCount(budget);
  if (shareOf === null) return { shown: t("budget.perHead"), read: t("budget.tokens", { tokens }) };
  if (budget >= longest) return { shown: t("budget.perHeadWhole"), read: t("budget.wholeText", { tokens }) };
  const share = formatShare(Math.min(1, budget / shareOf));
  return { shown: t("budget.perHeadShare", { share }), read: t("budget.share", { tokens, share }) };
}

type BudgetBytesProps = {
  readonly budget: Budget;
  readonly prompt: number | null;
  readonly dragged: boolean;
  /** Of the allocated full cache. */
  readonly fullBytes: number;
};

/** What the budget means in bytes, for the last answer's prompt: of a cache like it that was allocated before, never by arithmetic. */
function BudgetBytes({ budget, prompt, dragged, fullBytes }: BudgetBytesProps) {
  const { t } = useTranslation();
  const size = useHeat((state) => state.size);
  const known = useHeat((state) => state.subject.status === "ready");
  if (budget === "full" && !dragged) return null;
  if (!known && !dragged) return null;
  if (budget !== "full" && prompt !== null && budget >= prompt && !dragged) return null;
  const bytes = budget === "full" ? fullBytes : size?.budget === budget ? size.bytes : null;
  return (
    <span className="budget-bytes" title={t("budget.bytesMeaning")} data-testid="budget-bytes">
      {bytes === null ? t("budget.notMeasured") : formatBytes(bytes)}
    </span>
  );
}
