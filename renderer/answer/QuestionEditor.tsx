import { useTranslation } from "react-i18next";
import { usePrompt, useSession } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { directionOf } from "../text/direction.ts";

/** Edits a question where it stands; sending asks it as another version. */
export function QuestionEditor({ obstacle }: { readonly obstacle: boolean }) {
  const { t } = useTranslation();
  const session = useSession();
  const text = usePrompt((state) => state.editing?.text ?? "");
  return (
    <form
      className="question-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void session.send();
      }}
    >
      <textarea
        autoFocus
        aria-label={t("answer.editQuestion")}
        dir={directionOf(text)}
        rows={text.length > 2000 ? 8 : Math.min(8, 1 + text.split("\n").length)}
        value={text}
        onChange={(event) => session.prompt.editText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            session.prompt.stopEditing();
          } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            void session.send();
          }
        }}
      />
      <div className="row row-end">
        <Button kind="quiet" onClick={() => session.prompt.stopEditing()}>
          {t("common.cancel")}
        </Button>
        <Button kind="primary" submit disabled={obstacle}>
          {t("answer.askAgain")}
        </Button>
      </div>
    </form>
  );
}
