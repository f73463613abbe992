import { useTranslation } from "react-i18next";
import { languageSettingSchema } from "../../electron/contract/language.ts";
import { type Settings, textSizeSchema } from "../../electron/contract/shell.ts";
import { useSession, useShell } from "./SessionContext.tsx";

const themes: readonly Settings["theme"][] = ["system", "light", "dark"];

/** The part of the settings about how the window looks and speaks; each choice is seen at once. */
export function WindowFields() {
  const { t } = useTranslation();
  const session = useSession();
  const { theme, language, textSize } = useShell((state) => state.settings);
  return (
    <fieldset className="fields">
      <legend>{t("settings.window")}</legend>
      <Choice
        name={t("settings.theme")}
        options={themes.map((value) => ({ value, name: t(`settings.themes.${value}`) }))}
        chosen={theme}
        onChoose={(value) => void session.changeSettings({ theme: value })}
      />
      <Choice
        name={t("settings.language")}
        options={languageSettingSchema.options.map((value) => ({ value, name: t(`settings.languages.${value}`) }))}
        chosen={language}
        onChoose={(value) => void session.changeSettings({ language: value })}
      />
      <Choice
        name={t("settings.textSize")}
        options={textSizeSchema.options.map((value) => ({ value, name: t(`settings.textSizes.${value}`) }))}
        chosen={textSize}
        onChoose={(value) => void session.changeSettings({ textSize: value })}
      />
    </fieldset>
  );
}

type ChoiceProps<Value extends string> = {
  readonly name: string;
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
};

function Choice<Value extends string>({ name, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <label className="field">
      <span className="field-name">{name}</span>
      <select
        value={chosen}
        onChange={(event) => {
          const option = options.find(({ value }) => value === event.target.value);
          if (option !== undefined) onChoose(option.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
    </label>
  );
}
