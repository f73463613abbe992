import { memo } from "react";
import { useTranslation } from "react-i18next";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { safeAddress } from "./safeAddress.ts";

type AnswerTextProps = { readonly text: string; readonly onLink: (address: string) => void };

/**
 * What the model wrote, as Markdown. It is untrusted: no HTML of its own, no picture (an address could carry words out), and a
 * link is a button that asks first.
 */
export const AnswerText = memo(function AnswerText({ text, onLink }: AnswerTextProps) {
  const { t } = useTranslation();
  const components: Components = {
    a: ({ href, children }) => {
      const address = safeAddress(href ?? "");
      if (address === null) return <span>{children}</span>;
      return (
        <button type="button" className="link-button" title={t("answer.openLink", { address })} onClick={() => onLink(address)}>
          {children}
        </button>
      );
    },
    img: ({ alt }) => <span className="picture-words">{t("answer.picture", { name: alt ?? "" })}</span>,
    // Of task lists; they only show a state.
    input: ({ checked }) => <span aria-hidden="true">{checked === true ? "☑ " : "☐ "}</span>,
  };
  return (
    <div className="markdown" dir="auto">
      <Markdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize]}
        components={components}
        urlTransform={(address) => safeAddress(address) ?? ""}
        skipHtml
      >
        {text}
      </Markdown>
    </div>
  );
});
