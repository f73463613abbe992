import { useTranslation } from "react-i18next";
import type { ConversationHit, Excerpt } from "../../electron/contract/search.ts";
import { useConversations, useSession } from "../app/SessionContext.tsx";
import { moveAmongRows } from "../parts/moveAmongRows.ts";
import { SearchField } from "../parts/SearchField.tsx";
import { formatCount, formatTime } from "../text/format.ts";

/** Id of what was found. */
const hitsId = "conversation-hits";

/** The field that looks for words in all conversations. */
export function ConversationSearch() {
  const { t } = useTranslation();
  const session = useSession();
  const text = useConversations((state) => state.search?.text ?? "");
  return <SearchField label={t("search.conversations")} text={text} listId={hitsId} name="conversations" onType={session.search.type} />;
}

/** What was found, in place of the list. */
export function SearchHits() {
  const { t } = useTranslation();
  const found = useConversations((state) => state.search?.found ?? null);
  const hits = found?.hits ?? [];
  const words =
    found === null
      ? ""
      : hits.length === 0
        ? t("search.nothing")
        : t(found.more ? "search.more" : "search.found", { count: hits.length, places: formatCount(hits.length) });
  return (
    <>
      <p className="library-empty" role="status">
        {words}
      </p>
      <ul id={hitsId} className="library-list" aria-label={t("search.hits")}>
        {hits.map((hit) => (
          <li key={`${hit.conversationId} ${hit.turnId ?? ""}`} className="library-item">
            <HitButton hit={hit} />
          </li>
        ))}
      </ul>
    </>
  );
}

function HitButton({ hit }: { readonly hit: ConversationHit }) {
  const { t } = useTranslation();
  const session = useSession();
  return (
    <button
      type="button"
      className="library-button"
      title={formatTime(hit.at)}
      onKeyDown={moveAmongRows}
      onClick={() => void session.search.openHit(hit)}
    >
      {hit.part === "title" ? null : (
        <span className="truncate library-name">{hit.title === "" ? t("conversations.untitled") : hit.title}</span>
      )}
      <span className={hit.part === "title" ? "truncate library-name" : "library-facts search-excerpt"}>
        <Marked excerpt={hit.excerpt} />
      </span>
    </button>
  );
}

/** A text with the words that were looked for marked in it. */
function Marked({ excerpt: { text, marks } }: { readonly excerpt: Excerpt }) {
  const pieces = marks.map(({ start, end }, index) => ({
    start,
    before: text.slice(marks[index - 1]?.end ?? 0, start),
    marked: text.slice(start, end),
  }));
  return (
    <>
      {pieces.map(({ start, before, marked }) => (
        <span key={start}>
          {before}
          <mark>{marked}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.end ?? 0)}
    </>
  );
}
