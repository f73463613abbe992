import { memo } from "react";
import { useTranslation } from "react-i18next";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import { safeAddress } from "./safeAddress.ts";

/** What a Markdown processor keeps: `settings` is unified's own, the other what remark's parser takes from its plugins. */
type ParserData = { settings?: unknown; micromarkExtensions?: { disable?: { null?: string[] } }[] };

/**
 * Takes out of Markdown what would make words of an answer disappear: HTML is text like any other, and so are definitions, which
 * are shown only where something refers to them.
 */
function nothingHidden(this: { data(): ParserData }): void {
  const data = this.data();
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { disable: { null: ["htmlFlow", "htmlText", "definition", "gfmFootnoteDefinition"] } },
  ];
}

type AnswerTextProps = { readonly text: string; readonly onLink: (address: string) => void };

/**
 * What the model wrote, as Markdown, every word of it. It is untrusted: HTML stays text, there is no picture (an address could
 * carry words out), and a link is a button that asks first.
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
        remarkPlugins={[remarkGfm, nothingHidden]}
        rehypePlugins={[rehypeSanitize]}
        components={components}
        urlTransform={(address) => safeAddress(address) ?? ""}
      >
        {text}
      </Markdown>
    </div>
  );
});
