import { afterEach, describe, expect, test } from "vitest";
import type { ConversationHit } from "../../../../electron/contract/search.ts";
import { ConversationList } from "../../../../renderer/conversations/ConversationList.tsx";
import { createDesk, type Desk, eventually, figures, turnOf } from "../fakeEngine.ts";
import { show } from "../show.tsx";

let desk: Desk;
afterEach(() => desk.session.dispose());

const done = (id: string) => turnOf(id, { status: "done", answer: `answer ${id}`, figures });
const hit: ConversationHit = {
  conversationId: "c1",
  title: "Limits",
  turnId: "t2",
  part: "answer",
  excerpt: { text: "at most 3 A & <b>", marks: [{ start: 3, end: 7 }] },
  at: 5,
};
const store = () => desk.session.stores.conversations.getState();

async function started(): Promise<void> {
  desk = createDesk({
    searchConversations: ({ text }: { text: string }) => ({ hits: text === "most" ? [hit] : [], more: false }),
    showTurn: ({ conversationId, turnId }: { conversationId: string; turnId: string }) => ({
      ...desk.conversations.get(conversationId),
      turns: [done("t1"), done(turnId)],
    }),
  });
  await desk.session.start();
  const conversation = await desk.session.conversations.ensureCurrent();
  desk.conversations.set(conversation.id, { ...conversation, turns: [done("t1"), done("t3")] });
  await desk.session.conversations.open(conversation.id);
}

describe("a search in the conversations", () => {
  test("shows what was found in place of the list, its words marked and nothing of it taken for HTML", async () => {
    await started();
    desk.session.search.type("mo");
    desk.session.search.type("most");
    await eventually(() => expect(store().search?.found?.hits).toHaveLength(1));
    expect(desk.asked.filter(({ method }) => method === "searchConversations")).toHaveLength(1);
    const shown = show(desk.session, <ConversationList />);
    expect(shown).toContain("<mark>most</mark>");
    expect(shown).toContain("3 A &amp; &lt;b&gt;");
    expect(shown).toContain("1 place");
    desk.session.search.type("");
    expect(store().search).toBeNull();
    expect(show(desk.session, <ConversationList />)).not.toContain("conversation-hits");
  });

  test("says when there is nothing, and keeps what a late answer brings to itself", async () => {
    await started();
    desk.session.search.type("nowhere");
    await eventually(() => expect(store().search?.found).toEqual({ hits: [], more: false }));
    expect(show(desk.session, <ConversationList />)).toContain("Nothing was found.");
  });

  test("brings the version into view in which it was found", async () => {
    await started();
    await desk.session.search.openHit(hit);
    expect(store().current?.turns.map(({ id }) => id)).toEqual(["t1", "t2"]);
    expect(store().goTo).toEqual({ turnId: "t2" });
    await desk.session.search.openHit({ ...hit, turnId: "t1" });
    expect(desk.asked.filter(({ method }) => method === "showTurn")).toHaveLength(1);
    expect(store().goTo).toEqual({ turnId: "t1" });
  });
});
