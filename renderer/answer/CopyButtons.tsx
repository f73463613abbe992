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
  const cite = async (): Promise<Copied> => {
    if (conversationId === null) return { text: answer };
    const { citations } = await session.context.engine("citeAnswer", { conversationId, turnId });
    const text = citedText(answer, citations, {
      page: (pages) => t("citations.page", { pages }),
      source: (name, pages) => (pages === null ? name : t("citations.source", { name, pages })),
    });
    return citations.length === 0 ? { text, note: t("answer.noCitations") } : { text };
  };
  return (
    <>
      <CopyButton label={t("answer.copy")} text={async () => ({ text: answer })}>
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

/** What is put on the clipboard, and what there is to know of it. */
type Copied = { readonly text: string; readonly note?: string };

type CopyButtonProps = {
  readonly label: string;
  readonly title?: string;
  /** What is copied. @throws LongsightError */
  readonly text: () => Promise<Copied>;
  readonly children: ReactNode;
};

function CopyButton({ label, title = label, text, children }: CopyButtonProps) {
  const { t } = useTranslation();
  const session = useSession();
  const [copied, setCopied] = useState<Copied | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), copied.note === undefined ? 1600 : 6000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      const given = await text();
      await navigator.clipboard.writeText(given.text);
      setCopied(given);
    } catch {
      session.showProblem({ code: "not-supported", message: t("answer.notCopied") });
    }
  };
  return (
    <>
      <IconButton
        label={copied === null ? label : t("answer.copied")}
        title={copied === null ? title : t("answer.copied")}
        onClick={() => void copy()}
      >
        {copied === null ? children : <Check aria-hidden="true" size={14} />}
      </IconButton>
      {copied?.note === undefined ? null : (
        <span className="answer-status" role="status">
          {copied.note}
        </span>
      )}
    </>
  );
}
