import { BookMarked, Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useConversations, useSession } from "../app/SessionContext.tsx";
import { IconButton } from "../parts/Button.tsx";
import { citedText } from "./citedText.ts";

type CopyButtonsProps = { readonly turnId: string; readonly answer: string; readonly finished: boolean };

/** Copies an answer as the model wrote it, or with the pages that it shares its words with. */
export function CopyButtons({ turnId, answer, finished }: CopyButtonsProps) {
  const { t } = useTranslation();
  const session = useSession();
  const conversationId = useConversations((state) => state.current?.id ?? null);
  const hasDocuments = useConversations((state) => (state.current?.documents.length ?? 0) > 0);
  const cite = async (): Promise<string> => {
    if (conversationId === null) return answer;
    const { citations } = await session.context.engine("citeAnswer", { conversationId, turnId });
    if (citations.length === 0) session.showProblem({ code: "not-supported", message: t("answer.noCitations") });
    return citedText(answer, citations, {
      page: (pages) => t("citations.page", { pages }),
      source: (name, pages) => (pages === null ? name : t("citations.source", { name, pages })),
    });
  };
  return (
    <>
      <CopyButton label={t("answer.copy")} text={async () => answer}>
        <Copy aria-hidden="true" size={14} />
      </CopyButton>
      {hasDocuments && finished ? (
        <CopyButton label={t("answer.copyCited")} title={t("answer.copyCitedMeaning")} text={cite}>
          <BookMarked aria-hidden="true" size={14} />
        </CopyButton>
      ) : null}
    </>
  );
}

type CopyButtonProps = {
  readonly label: string;
  readonly title?: string;
  /** What is copied. @throws LongsightError */
  readonly text: () => Promise<string>;
  readonly children: ReactNode;
};

function CopyButton({ label, title = label, text, children }: CopyButtonProps) {
  const { t } = useTranslation();
  const session = useSession();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await text());
      setCopied(true);
    } catch {
      session.showProblem({ code: "not-supported", message: t("answer.notCopied") });
    }
  };
  return (
    <IconButton label={copied ? t("answer.copied") : label} title={copied ? t("answer.copied") : title} onClick={() => void copy()}>
      {copied ? <Check aria-hidden="true" size={14} /> : children}
    </IconButton>
  );
}
