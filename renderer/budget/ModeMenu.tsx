import { useTranslation } from "react-i18next";
import { cacheModeSchema } from "../../electron/contract/conversation.ts";
import { useSession } from "../app/SessionContext.tsx";
import { ChoiceMenu } from "./ChoiceMenu.tsx";
import { type Choice, modeObstacle } from "./choices.ts";

/** When it is chosen what is kept. */
export function ModeMenu({ used }: { readonly used: Choice }) {
  const { t } = useTranslation();
  const session = useSession();
  return (
    <ChoiceMenu
      label={t("modes.label", { name: t(`modes.names.${used.mode}`) })}
      words={t(`modes.short.${used.mode}`)}
      meaning={t(`modes.meanings.${used.mode}`)}
      title={t("modes.title")}
      value={used.mode}
      choices={cacheModeSchema.options.map((mode) => {
        const obstacle = modeObstacle(mode, used.policy);
        return {
          value: mode,
          name: t(`modes.names.${mode}`),
          meaning: t(`modes.meanings.${mode}`),
          obstacle: obstacle === null ? null : t(obstacle, { policy: t(`policies.names.${used.policy}`) }),
        };
      })}
      onChoose={(value) => {
        const mode = cacheModeSchema.safeParse(value);
        if (mode.success) void session.changeChoice({ mode: mode.data });
      }}
    />
  );
}
