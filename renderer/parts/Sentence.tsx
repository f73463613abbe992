import { Info } from "lucide-react";
import { Popover } from "radix-ui";
import { PopoverLayer } from "./Layers.tsx";

type SentenceProps = {
  readonly words: string;
  /** What there is to add, where something is. */
  readonly meaning?: string;
  readonly className?: string;
};

/** A sentence in a row that may lack the room for it: pressed, it stands there whole, with what it means. */
export function Sentence({ words, meaning, className = "" }: SentenceProps) {
  return (
    <Popover.Root>
      <Popover.Trigger className={`sentence ${className}`} title={meaning ?? words}>
        <Info aria-hidden="true" size={14} />
        <span className="truncate">{words}</span>
      </Popover.Trigger>
      <PopoverLayer side="top" align="start" sideOffset={6} label={words}>
        <p>{words}</p>
        {meaning === undefined ? null : <p className="popover-note">{meaning}</p>}
      </PopoverLayer>
    </Popover.Root>
  );
}
