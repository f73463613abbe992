import { useTranslation } from "react-i18next";
import { shareSchema } from "../../electron/contract/policies.ts";
import { useSession } from "../app/SessionContext.tsx";
import { ChoiceMenu } from "./ChoiceMenu.tsx";
import { type Choice, shareObstacle } from "./choices.ts";

/** How several documents share the budget. */
export function ShareMenu({ used }: { readonly used: Choice }) {
  const { t } = useTranslation();
  const session = useSession();
  return (
    <ChoiceMenu
      label={t("shares.label", { name: t(`shares.names.${used.share}`) })}
      words={t(`shares.short.${used.share}`)}
      meaning={t(`shares.meanings.${used.share}`)}
      title={t("shares.title")}
      value={used.share}
      choices={shareSchema.options.map((share) => {
        const obstacle = shareObstacle(share, used.mode);
        return {
          value: share,
          name: t(`shares.names.${share}`),
          meaning: t(`shares.meanings.${share}`),
          obstacle: obstacle === null ? null : t(obstacle, { mode: t("modes.names.question") }),
        };
      })}
      onChoose={(value) => {
        const share = shareSchema.safeParse(value);
        if (share.success) void session.changeChoice({ share: share.data });
      }}
    />
  );
}
