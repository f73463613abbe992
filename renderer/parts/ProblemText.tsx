import { CircleAlert, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Problem } from "../../electron/contract/errors.ts";
import { useWords } from "../text/words.ts";
import { IconButton } from "./Button.tsx";

type ProblemTextProps = {
  readonly problem: Problem;
  /** What can be done about it. */
  readonly children?: ReactNode;
  readonly onDismiss?: () => void;
  readonly testId?: string;
};

/** One sentence of what went wrong and what to do, with the details for a report folded away. */
export function ProblemText({ problem, children, onDismiss, testId }: ProblemTextProps) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <div className="problem" role="alert" data-testid={testId} data-code={problem.code}>
      <CircleAlert className="problem-icon" aria-hidden="true" size={16} />
      <div className="problem-body">
        <p>{words(problem)}</p>
        {problem.detail === undefined ? null : (
          <details>
            <summary>{t("common.details")}</summary>
            <pre>{problem.detail}</pre>
          </details>
        )}
        {children === undefined ? null : <div className="problem-actions">{children}</div>}
      </div>
      {onDismiss === undefined ? null : (
        <IconButton label={t("common.dismiss")} className="problem-dismiss" onClick={onDismiss}>
          <X aria-hidden="true" size={14} />
        </IconButton>
      )}
    </div>
  );
}
