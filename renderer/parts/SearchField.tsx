import { Search, X } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./Button.tsx";

type SearchFieldProps = {
  /** Its name, and what stands in it while it is empty. */
  readonly label: string;
  readonly text: string;
  /** Id of the list with a button for each thing that was found. */
  readonly listId: string;
  /** What a command that brings the focus here calls it. */
  readonly name?: string;
  readonly onType: (text: string) => void;
};

/** A field that looks for words in a list: Enter takes the first thing found, the down arrow goes to it, Escape ends the search. */
export function SearchField({ label, text, listId, name, onType }: SearchFieldProps) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys that choose a character are not ours.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && text !== "") {
      event.preventDefault();
      onType("");
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      const first = document.getElementById(listId)?.querySelector("button");
      if (first == null || (event.key === "Enter" && text === "")) return;
      event.preventDefault();
      if (event.key === "Enter") first.click();
      else first.focus();
    }
  };
  return (
    <search className="search-field">
      <Search aria-hidden="true" size={14} />
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={text}
        data-search={name}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text === "" ? null : (
        <IconButton label={t("search.clear")} onClick={() => onType("")}>
          <X aria-hidden="true" size={14} />
        </IconButton>
      )}
    </search>
  );
}
