import { LockKeyhole } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useConversations, useDocuments, useSession, useShell } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { StoppableProgress } from "../parts/StoppableProgress.tsx";
import { useProgressWords } from "../text/useProgressWords.ts";
import { wordsOf } from "../text/words.ts";
import { type Opening, openingsOf } from "./documentsStore.ts";

/** Messages that are shown at a time: the rest would push the pages away. */
const shownMessages = 2;

/** Files on their way into this conversation, above the pages: progress, passwords, and one sentence for each that did not open. */
export function Openings() {
  const { t } = useTranslation();
  const session = useSession();
  const conversationId = useConversations((state) => state.current?.id ?? null);
  const all = useDocuments((state) => state.openings);
  const problems = useShell((state) => state.problems);
  const openings = openingsOf(all, conversationId);
  const failed = openings.filter((opening) => opening.status === "failed");
  const [showsAll, setShowsAll] = useState(false);
  if (openings.length === 0 && problems.length === 0) return null;
  const most = showsAll ? Number.POSITIVE_INFINITY : shownMessages;
  const shownProblems = problems.slice(0, most);
  const shownFailures = failed.slice(0, most - shownProblems.length);
  const more = problems.length + failed.length - shownProblems.length - shownFailures.length;
  const dismissAll = (): void => {
    for (const { id } of problems) session.closeProblem(id);
    for (const { key } of failed) session.documents.dismiss(key);
  };
  return (
    <div className="openings">
      {openings
        .filter((opening) => opening.status !== "failed")
        .map((opening) => (
          <OpeningView key={opening.key} opening={opening} />
        ))}
      {shownProblems.map(({ id, problem }) => (
        <ProblemText key={id} problem={problem} testId="document-notice" onDismiss={() => session.closeProblem(id)} />
      ))}
      {shownFailures.map((opening) => (
        <OpeningView key={opening.key} opening={opening} />
      ))}
      {more === 0 ? null : (
        <p className="openings-more">
          {t("documents.more", { count: more })}
          <Button kind="quiet" className="button-small" onClick={() => setShowsAll(true)}>
            {t("documents.showAll")}
          </Button>
          <Button kind="quiet" className="button-small" onClick={dismissAll}>
            {t("documents.dismissAll")}
          </Button>
        </p>
      )}
    </div>
  );
}

function OpeningView({ opening }: { readonly opening: Opening }) {
  const { t } = useTranslation();
  const session = useSession();
  const { detail, fraction } = useProgressWords(opening.progress, "");
  if (opening.status === "reading") {
    return (
      <div className="opening">
        <StoppableProgress
          label={t("documents.reading", { name: opening.name })}
          detail={detail}
          fraction={fraction}
          testId="document-progress"
          stopLabel={t("documents.stop", { name: opening.name })}
          onStop={() => session.documents.stop(opening.key)}
        />
      </div>
    );
  }
  if (opening.status === "locked") return <PasswordForm opening={opening} />;
  if (opening.problem === null) return null;
  const expected = opening.documentId;
  const lost = expected !== null && (opening.problem.code === "document-missing" || opening.problem.code === "document-unknown");
  return (
    <ProblemText problem={opening.problem} testId="document-notice" onDismiss={() => session.documents.dismiss(opening.key)}>
      {expected !== null && opening.problem.code === "cancelled" ? (
        <Button className="button-small" onClick={() => void session.documents.readAgain(opening.key)}>
          {t("documents.readAgain")}
        </Button>
      ) : lost ? (
        <Button className="button-small" onClick={() => void session.documents.findAgain(opening.key)}>
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
        void session.documents.unlock(opening.key, password);
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
            {wordsOf(opening.problem)}
          </p>
        )}
        <p className="field-hint">{t("documents.passwordKept")}</p>
      </div>
    </form>
  );
}
