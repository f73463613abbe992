import { Check, ChevronDown, Flame } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useTranslation } from "react-i18next";
import { granularities } from "../../electron/contract/units.ts";
import { useHeat, useSession } from "../app/SessionContext.tsx";
import { focusChosen } from "../parts/focusChosen.ts";
import { MenuLayer } from "../parts/Layers.tsx";
import { heatScales } from "./heatIndex.ts";
import { heatViews } from "./heatStore.ts";

/** What is laid over the pages, by which scale, and for how much of the text at a time. */
export function HeatMenu() {
  const { t } = useTranslation();
  const session = useSession();
  const view = useHeat((state) => state.view);
  const scale = useHeat((state) => state.scale);
  const granularity = useHeat((state) => state.granularity);
  const name = t(`heat.views.${view}`);
  return (
    <DropdownMenu.Root modal={false} onOpenChange={focusChosen}>
      <DropdownMenu.Trigger
        className="button button-small choice-button"
        aria-label={t("heat.menu", { name })}
        title={t("heat.menuMeaning")}
      >
        <Flame aria-hidden="true" size={14} />
        <span className="toolbar-words">{t("heat.menu", { name })}</span>
        <span className="toolbar-short">{name}</span>
        <ChevronDown aria-hidden="true" size={14} />
      </DropdownMenu.Trigger>
      <MenuLayer className="heat-menu" align="end" sideOffset={4}>
        <Choices
          title={t("heat.viewTitle")}
          options={heatViews.map((value) => ({ value, name: t(`heat.views.${value}`) }))}
          chosen={view}
          onChoose={(value) => session.heat.choose({ view: value })}
        />
        <Choices
          title={t("heat.scaleTitle")}
          options={heatScales.map((value) => ({ value, name: t(`heat.scales.${value}`) }))}
          chosen={scale}
          onChoose={(value) => session.heat.choose({ scale: value })}
        />
        <Choices
          title={t("heat.granularityTitle")}
          options={granularities.map((value) => ({ value, name: t(`heat.granularities.${value}`) }))}
          chosen={granularity}
          onChoose={(value) => session.heat.choose({ granularity: value })}
        />
      </MenuLayer>
    </DropdownMenu.Root>
  );
}

type ChoicesProps<Value extends string> = {
  readonly title: string;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
};

function Choices<Value extends string>({ title, options, chosen, onChoose }: ChoicesProps<Value>) {
  const choose = (wanted: string): void => {
    const option = options.find(({ value }) => value === wanted);
    if (option !== undefined) onChoose(option.value);
  };
  return (
    <>
      <DropdownMenu.Label className="choice-menu-title">{title}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={chosen} onValueChange={choose}>
        {options.map(({ value, name }) => (
          // What was chosen is seen behind the menu, so it stays.
          <DropdownMenu.RadioItem key={value} className="menu-item" value={value} onSelect={(event) => event.preventDefault()}>
            <span className="choice-check">
              <DropdownMenu.ItemIndicator>
                <Check aria-hidden="true" size={14} />
              </DropdownMenu.ItemIndicator>
            </span>
            {name}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
    </>
  );
}
