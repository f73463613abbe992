import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSession } from "../app/SessionContext.tsx";
import { IconButton } from "../parts/Button.tsx";
import { formatCount } from "../text/format.ts";

type TurnVersionsProps = { readonly turnId: string; readonly versions: readonly string[]; readonly busy: boolean };

/** Which version of a question this is, and the ways to those before and after it. */
export function TurnVersions({ turnId, versions, busy }: TurnVersionsProps) {
  const { t } = useTranslation();
  const session = useSession();
  const index = versions.indexOf(turnId);
  const step = (by: 1 | -1) => {
    const id = versions[index + by];
    return { disabled: busy || id === undefined, onClick: () => void (id === undefined ? null : session.conversations.showTurn(id)) };
  };
  return (
    <div className="versions" role="group" aria-label={t("versions.title")}>
      <IconButton label={t("versions.previous")} {...step(-1)}>
        <ChevronLeft aria-hidden="true" size={14} />
      </IconButton>
      <span className="versions-words" title={t("versions.meaning")} data-testid="versions">
        {t("versions.place", { place: formatCount(index + 1), count: versions.length })}
      </span>
      <IconButton label={t("versions.next")} {...step(1)}>
        <ChevronRight aria-hidden="true" size={14} />
      </IconButton>
    </div>
  );
}
