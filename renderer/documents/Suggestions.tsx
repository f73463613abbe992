import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button.tsx";

type SuggestionsProps = { readonly title: string; readonly onAsk: (question: string) => void };

/** Three questions that the sample document answers, one click each. */
export function Suggestions({ title, onAsk }: SuggestionsProps) {
  const { t } = useTranslation();
  const id = useId();
  const questions = [t("suggestions.sample.warranty"), t("suggestions.sample.weight"), t("suggestions.sample.filter")];
  return (
    <section className="suggestions" aria-labelledby={id} data-testid="suggestions">
      <h3 id={id}>{title}</h3>
      <ul className="plain-list">
        {questions.map((question) => (
          <li key={question}>
            <Button className="suggestion" lang="en" onClick={() => onAsk(question)}>
              {question}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
