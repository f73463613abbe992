import { useEffect, useState } from "react";
import type { PageText } from "../../electron/contract/document.ts";
import { type Problem, toProblem } from "../../electron/contract/errors.ts";
import { useSession } from "../app/SessionContext.tsx";
import type { Session } from "../app/session.ts";
import { createPageTexts, type PageTexts } from "./pageTexts.ts";

const ofSessions = new WeakMap<Session, PageTexts>();

/** The session's own store of page texts. */
export function usePageTexts(session: Session): PageTexts {
  const known = ofSessions.get(session);
  if (known !== undefined) return known;
  const created = createPageTexts(session.context.engine);
  ofSessions.set(session, created);
  return created;
}

/** Milliseconds that a page must stay before its text is fetched. */
const patience = 200;

/**
 * The text of a page that stays in view for a moment; null until then, and where there is none.
 * @param characters of the page, as {@link usePageText} takes them
 */
export function usePatientText(documentId: string, page: number, characters: number): PageText | null {
  const texts = usePageTexts(useSession());
  const [text, setText] = useState<PageText | null>(null);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      texts.get(documentId, page, characters).then(
        (result) => {
          if (!gone) setText(result);
        },
        // Without its text a page can still be looked at; the text view says what is wrong.
        () => undefined,
      );
    }, patience);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [texts, documentId, page, characters]);
  return text;
}

/**
 * The text of one page, or why there is none; both null while it is fetched.
 * @param characters of the page: recognising its picture changes them, and its text is fetched again
 */
export function usePageText(
  documentId: string,
  page: number,
  characters: number,
): { readonly text: PageText | null; readonly problem: Problem | null } {
  const texts = usePageTexts(useSession());
  const [result, setResult] = useState<{ readonly text: PageText | null; readonly problem: Problem | null }>({ text: null, problem: null });
  useEffect(() => {
    let gone = false;
    texts.get(documentId, page, characters).then(
      (text) => {
        if (!gone) setResult({ text, problem: null });
      },
      (error: unknown) => {
        if (!gone) setResult({ text: null, problem: toProblem(error) });
      },
    );
    return () => {
      gone = true;
    };
  }, [texts, documentId, page, characters]);
  return result;
}
