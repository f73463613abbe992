import { useTranslation } from "react-i18next";
import type { LoadedModel, ModelReport } from "../../electron/contract/model.ts";
import { type ChoosingPolicy, choosingPolicySchema, policyFacts } from "../../electron/contract/policies.ts";
import { useSession } from "../app/SessionContext.tsx";
import { moduleWords } from "../model/moduleWords.ts";
import { ChoiceMenu, type MenuChoice } from "./ChoiceMenu.tsx";
import { type Choice, draftModels, policyObstacle } from "./choices.ts";
import { useCircumstances } from "./circumstances.ts";

type PolicyMenuProps = { readonly model: LoadedModel; readonly used: Choice };

/** Which rule chooses the kept tokens. One that drafts with another model is there once for each that would do. */
export function PolicyMenu({ model, used }: PolicyMenuProps) {
  const { t } = useTranslation();
  const session = useSession();
  const circumstances = useCircumstances();
  const drafts = draftModels(circumstances);
  const untrained = model.lookahead?.steps === 0;
  const nameOf = (policy: ChoosingPolicy): string => {
    const name = t(`policies.names.${policy}`);
    return policy === "lookahead" && untrained ? t("policies.untrained", { name }) : name;
  };

  const about = { model: model.report.name, mode: t("modes.names.question") };
  const draftsFor = (policy: ChoosingPolicy): readonly (ModelReport | null)[] =>
    policyFacts[policy].needsDraftModel && drafts.length > 0 ? drafts : [null];
  const options = choosingPolicySchema.options.flatMap((policy) => draftsFor(policy).map((draft) => ({ policy, draft })));
  const choices = options.map(({ policy, draft }): MenuChoice & { readonly change: Partial<Choice> } => {
    const obstacle = policyObstacle(policy, used.mode, circumstances);
    return {
      value: menuValue(policy, draft?.path ?? null),
      name: draft === null ? nameOf(policy) : t("policies.withDraft", { name: nameOf(policy), draft: draft.name }),
      meaning: (
        <>
          {t(`policies.meanings.${policy}`)}
          {policy === "lookahead" && model.lookahead !== null ? <ModuleNote lookahead={model.lookahead} model={model.report.name} /> : null}
        </>
      ),
      obstacle: obstacle === null ? null : t(obstacle, about),
      change: draft === null ? { policy } : { policy, draftModel: draft.path },
    };
  });
  return (
    <ChoiceMenu
      label={t("policies.label", { name: nameOf(used.policy) })}
      words={nameOf(used.policy)}
      meaning={t(`policies.meanings.${used.policy}`)}
      title={t("policies.title")}
      value={menuValue(used.policy, used.draftModel)}
      choices={choices}
      onChoose={(value) => void session.changeChoice(choices.find((choice) => choice.value === value)?.change ?? {})}
    />
  );
}

function menuValue(policy: ChoosingPolicy, draftModel: string | null): string {
  return draftModel === null ? policy : `${policy} ${draftModel}`;
}

/** Which module foresees the answer; of one that cannot, a warning. */
function ModuleNote({ lookahead, model }: { readonly lookahead: NonNullable<LoadedModel["lookahead"]>; readonly model: string }) {
  const { t } = useTranslation();
  if (lookahead.steps === 0) return <span className="choice-note"> {t("policies.untrainedMeaning", { model })}</span>;
  return <> {t("policies.moduleUsed", { module: moduleWords(lookahead, t) })}</>;
}
