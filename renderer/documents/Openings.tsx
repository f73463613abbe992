import { LockKeyhole } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDocuments, useSession, useShell } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { ProgressBar } from "../parts/ProgressBar.tsx";
import { useProgressWords } from "../text/useProgressWords.ts";
import type { Opening } from "./documentsStore.ts";

/** Files on their way in, above the pages: progress, passwords, and one sentence for each that did not open. */
export function Openings() {
  const session = useSession();
  const openings = useDocuments((state) => state.openings);
  const problems = useShell((state) => state.problems);
  if (openings.length === 0 && problems.length === 0) return null;
  return (
    <div className="openings">
      {problems.map(({ id, problem }) => (
        <ProblemText key={id} problem={problem} testId="document-notice" onDismiss={() => session.closeProblem(id)} />
      ))}
      {openings.map((opening) => (
        <OpeningView key={opening.key} opening={opening} />
      ))}
    </div>
  );
}

function OpeningView({ opening }: { readonly opening: Opening }) {
  const { t } = useTranslation();
  const session = useSession();
  const { detail, fraction } = useProgressWords(opening.progress, "");
  if (opening.status === "reading") {
    return (
      <ProgressBar label={t("documents.reading", { name: opening.name })} detail={detail} fraction={fraction} testId="document-progress" />
    );
  }
  if (opening.status === "locked") return <PasswordForm opening={opening} />;
  if (opening.problem === null) return null;
  const expected = opening.documentId;
  const lost = expected !== null && (opening.problem.code === "document-missing" || opening.problem.code === "document-unknown");
  return (
    <ProblemText problem={opening.problem} testId="document-notice" onDismiss={() => session.documents.dismiss(opening.key)}>
      {lost ? (
        <Button className="button-small" onClick={() => void session.documents.findAgain(opening.key).then(session.conversations.joinLate)}>
          {t("documents.findIt")}
        </Button>
      ) : undefined}
    </ProblemText>
  );
}

/** The password in place: a wrong one can be tried again, and leaving it is clean. */
function PasswordForm({ opening }: { readonly opening: Opening }) {
  const { t } = useTranslation();
  const session = useSession();
  const [password, setPassword] = useState("");
  const fieldId = useId();
  const wrong = opening.problem !== null;
  return (
    <form
      className="password"
      aria-label={t("documents.passwordFor", { name: opening.name })}
      onSubmit={(event) => {
        event.preventDefault();
        if (password === "") return;
        void session.documents.unlock(opening.key, password).then(session.conversations.joinLate);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        session.documents.dismiss(opening.key);
      }}
    >
      <LockKeyhole aria-hidden="true" size={16} />
      <div className="password-body">
        <label htmlFor={fieldId}>{t("documents.passwordFor", { name: opening.name })}</label>
        <div className="row">
          <input
            autoFocus
            id={fieldId}
            type="password"
            autoComplete="off"
            data-testid="password-input"
            aria-invalid={wrong}
            aria-describedby={wrong ? `${fieldId}-fault` : undefined}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button submit kind="primary" disabled={password === ""}>
            {t("documents.unlock")}
          </Button>
          <Button kind="quiet" onClick={() => session.documents.dismiss(opening.key)}>
            {t("common.cancel")}
          </Button>
        </div>
        {opening.problem === null ? null : (
          <p id={`${fieldId}-fault`} className="field-fault" role="alert">
            {opening.problem.message}
          </p>
        )}
        <p className="field-hint">{t("documents.passwordKept")}</p>
      </div>
    </form>
  );
}
