import { Check, ChevronDown } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type ReactNode, useId } from "react";
import { focusChosen } from "../parts/focusChosen.ts";
import { MenuLayer } from "../parts/Layers.tsx";

/** One of several things of which one is chosen; `obstacle`: why it is not to be had here, in a sentence. */
export type MenuChoice = {
  readonly value: string;
  readonly name: string;
  /** One sentence of what it does. */
  readonly meaning: ReactNode;
  readonly obstacle: string | null;
};

type ChoiceMenuProps = {
  /** Name of the button, with what is chosen. */
  readonly label: string;
  /** What stands on the button. */
  readonly words: string;
  /** One sentence of what is chosen. */
  readonly meaning: string;
  /** What is asked, above the choices. */
  readonly title: string;
  readonly value: string;
  readonly choices: readonly MenuChoice[];
  readonly onChoose: (value: string) => void;
};

/** A button that says what is chosen, and a menu of radio items: Radix's select writes style elements, which the policy of the page refuses. */
export function ChoiceMenu({ label, words, meaning, title, value, choices, onChoose }: ChoiceMenuProps) {
  return (
    <DropdownMenu.Root modal={false} onOpenChange={focusChosen}>
      <DropdownMenu.Trigger className="button button-small choice-button" aria-label={label} title={meaning}>
        {words}
        <ChevronDown aria-hidden="true" size={14} />
      </DropdownMenu.Trigger>
      <MenuLayer className="choice-menu" side="top" align="end" sideOffset={4}>
        <DropdownMenu.Label className="choice-menu-title">{title}</DropdownMenu.Label>
        <DropdownMenu.RadioGroup
          value={value}
          onValueChange={(chosen) => {
            if (choices.some((choice) => choice.value === chosen && choice.obstacle === null)) onChoose(chosen);
          }}
        >
          {choices.map((choice) => (
            <ChoiceItem key={choice.value} choice={choice} />
          ))}
        </DropdownMenu.RadioGroup>
      </MenuLayer>
    </DropdownMenu.Root>
  );
}

/** One that is not available can be reached all the same, so that its reason is read out too. */
function ChoiceItem({ choice: { value, name, meaning, obstacle } }: { readonly choice: MenuChoice }) {
  const id = useId();
  return (
    <DropdownMenu.RadioItem
      className="menu-item choice-item"
      value={value}
      textValue={name}
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-meaning`}
      {...(obstacle === null ? {} : { "aria-disabled": true, onSelect: (event: Event) => event.preventDefault() })}
    >
      <span className="choice-check">
        <DropdownMenu.ItemIndicator>
          <Check aria-hidden="true" size={14} />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className="choice-words">
        <span id={`${id}-name`} className="choice-name">
          {name}
        </span>
        <span id={`${id}-meaning`} className="choice-meaning">
          {meaning}
          {obstacle === null ? null : <span className="choice-note"> {obstacle}</span>}
        </span>
      </span>
    </DropdownMenu.RadioItem>
  );
}
