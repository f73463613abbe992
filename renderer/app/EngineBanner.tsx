import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button.tsx";
import { useWords } from "../text/words.ts";
import { useSession, useShell } from "./SessionContext.tsx";

/** The engine has stopped or does not answer: what is on screen stays readable, and one click starts it again. */
export function EngineBanner() {
  const { t } = useTranslation();
  const words = useWords();
  const session = useSession();
  const engine = useShell((state) => state.engine);
  if (engine.state !== "stopped" && engine.state !== "unresponsive") return null;
  return (
    <div className="banner" role="alert" data-testid="engine-banner">
      <TriangleAlert aria-hidden="true" size={16} />
      <p>{words(engine.problem)}</p>
      {engine.problem.detail === undefined ? null : (
        <details>
          <summary>{t("common.details")}</summary>
          <pre>{engine.problem.detail}</pre>
        </details>
      )}
      <Button kind="primary" onClick={() => void session.restartEngine()}>
        {t("engine.restart")}
      </Button>
    </div>
  );
}
