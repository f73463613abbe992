import { Check, ChevronDown } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { LoadedModel } from "../../electron/contract/model.ts";
import { type ChoosingPolicy, choosingPolicySchema, policyFacts } from "../../electron/contract/policies.ts";
import { useSession } from "../app/SessionContext.tsx";
import { moduleWords } from "../model/moduleWords.ts";

type PolicyMenuProps = { readonly model: LoadedModel; readonly policy: ChoosingPolicy };

/**
 * Which rule chooses the kept tokens, each with a sentence of what it does. A menu of radio items: Radix's select writes style
 * elements, which the policy of the page refuses.
 */
export function PolicyMenu({ model, policy }: PolicyMenuProps) {
  const { t } = useTranslation();
  const session = useSession();
  const untrained = model.lookahead?.steps === 0;
  const nameOf = (other: ChoosingPolicy): string => {
    const name = t(`policies.names.${other}`);
    return other === "lookahead" && untrained ? t("policies.untrained", { name }) : name;
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="button button-small policy-button"
        aria-label={t("policies.label", { name: nameOf(policy) })}
        title={t(`policies.meanings.${policy}`)}
      >
        {nameOf(policy)}
        <ChevronDown aria-hidden="true" size={14} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu policy-menu" side="top" align="end" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.Label className="policy-menu-title">{t("policies.title")}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={policy}
            onValueChange={(value) => {
              const chosen = choosingPolicySchema.safeParse(value);
              if (!chosen.success || missingNote(chosen.data, model) !== null) return;
              void session.changeSettings({ policy: chosen.data });
            }}
          >
            {choosingPolicySchema.options.map((other) => (
              <PolicyItem key={other} policy={other} name={nameOf(other)} model={model} />
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Why a policy is not to be had here, by its text; null where it is. */
function missingNote(policy: ChoosingPolicy, model: LoadedModel): "policies.noModule" | "policies.noDraftModel" | null {
  if (policy === "lookahead" && model.lookahead === null) return "policies.noModule";
  return policyFacts[policy].needsDraftModel ? "policies.noDraftModel" : null;
}

/** One that is not available can be reached all the same, so that its reason is read out too. */
function PolicyItem({ policy, name, model }: PolicyMenuProps & { readonly name: string }) {
  const { t } = useTranslation();
  const id = useId();
  const missing = missingNote(policy, model);
  const about = { model: model.report.name };
  return (
    <DropdownMenu.RadioItem
      className="menu-item policy-item"
      value={policy}
      textValue={name}
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-meaning`}
      {...(missing !== null ? { "aria-disabled": true, onSelect: (event: Event) => event.preventDefault() } : {})}
    >
      <span className="policy-check">
        <DropdownMenu.ItemIndicator>
          <Check aria-hidden="true" size={14} />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className="policy-words">
        <span id={`${id}-name`} className="policy-name">
          {name}
        </span>
        <span id={`${id}-meaning`} className="policy-meaning">
          {t(`policies.meanings.${policy}`)}
          {missing === null ? null : <span className="policy-note"> {t(missing, about)}</span>}
          {policy === "lookahead" && model.lookahead !== null ? <ModuleNote lookahead={model.lookahead} model={model.report.name} /> : null}
        </span>
      </span>
    </DropdownMenu.RadioItem>
  );
}

/** Which module foresees the answer; of one that cannot, a warning. */
function ModuleNote({ lookahead, model }: { readonly lookahead: NonNullable<LoadedModel["lookahead"]>; readonly model: string }) {
  const { t } = useTranslation();
  if (lookahead.steps === 0) return <span className="policy-note"> {t("policies.untrainedMeaning", { model })}</span>;
  return <> {t("policies.moduleUsed", { module: moduleWords(lookahead, t) })}</>;
}
