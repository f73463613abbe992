import { ScanText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DocumentSummary, RecognitionLanguage } from "../../electron/contract/document.ts";
import { useDocuments, useSession } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { StoppableProgress } from "../parts/StoppableProgress.tsx";
import { useProgressWords } from "../text/useProgressWords.ts";

const choices = { eng: ["eng"], deu: ["deu"], both: ["eng", "deu"] } as const satisfies Record<string, readonly RecognitionLanguage[]>;
type Choice = keyof typeof choices;
const names: readonly Choice[] = ["eng", "deu", "both"];

/** Pages that are pictures: the offer to read their text, and how far that is. */
export function Recognition({ summary }: { readonly summary: DocumentSummary }) {
  const running = useDocuments((state) => state.recognising[summary.id]);
  if (running !== undefined) return <Running summary={summary} />;
  const waiting = summary.pages.filter(({ flags }) => flags.includes("no-text") && !flags.includes("recognised")).length;
  return summary.kind !== "pdf" || waiting === 0 ? null : <Offer summary={summary} waiting={waiting} />;
}

function Offer({ summary, waiting }: { readonly summary: DocumentSummary; readonly waiting: number }) {
  const { t } = useTranslation();
  const session = useSession();
  const [choice, setChoice] = useState<Choice>(navigator.language.startsWith("de") ? "deu" : "eng");
  return (
    <form
      className="recognition"
      onSubmit={(event) => {
        event.preventDefault();
        void session.recognition.start(summary.id, choices[choice]);
      }}
    >
      <ScanText aria-hidden="true" size={16} />
      <span className="recognition-words">{t("recognition.offer", { count: waiting })}</span>
      <select
        aria-label={t("recognition.language")}
        title={t("recognition.language")}
        value={choice}
        onChange={(event) => setChoice(names.find((name) => name === event.target.value) ?? "eng")}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {t(`recognition.languages.${name}`)}
          </option>
        ))}
      </select>
      <Button submit className="button-small">
        {t("recognition.start")}
      </Button>
    </form>
  );
}

function Running({ summary }: { readonly summary: DocumentSummary }) {
  const { t } = useTranslation();
  const session = useSession();
  const progress = useDocuments((state) => state.recognising[summary.id]?.progress ?? null);
  const { detail, fraction } = useProgressWords(progress, "");
  return (
    <div className="recognition">
      <StoppableProgress
        label={t("recognition.running", { name: summary.name })}
        detail={detail}
        fraction={fraction}
        testId="recognition-progress"
        onStop={() => session.recognition.stop(summary.id)}
      />
    </div>
  );
}
