import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSession } from "../app/SessionContext.tsx";
import { IconButton } from "../parts/Button.tsx";
import { formatCount } from "../text/format.ts";

/** Focuses the way on from a version, at the last one the way back. */
function focusStep(turnId: string, by: 1 | -1): void {
  const turn = document.querySelector(`[data-turn="${CSS.escape(turnId)}"]`);
  const button = [by, -by].flatMap((way) => turn?.querySelector<HTMLElement>(`[data-step="${way}"]:not(:disabled)`) ?? [])[0];
  button?.focus({ preventScroll: true });
}

type TurnVersionsProps = { readonly turnId: string; readonly versions: readonly string[]; readonly busy: boolean };

/** Which version of a question this is, and the ways to those before and after it. */
export function TurnVersions({ turnId, versions, busy }: TurnVersionsProps) {
  const { t } = useTranslation();
  const session = useSession();
  const index = versions.indexOf(turnId);
  const step = (by: 1 | -1) => {
    const id = versions[index + by];
    const show = async (): Promise<void> => {
      if (id === undefined) return;
      await session.conversations.showTurn(id);
      // The other version has buttons of its own; who steps wants to step on.
      setTimeout(() => focusStep(id, by));
    };
    return { disabled: busy || id === undefined, "data-step": by, onClick: () => void show() };
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
