import { Tabs } from "radix-ui";
import { useTranslation } from "react-i18next";
import { ConversationPane } from "../answer/ConversationPane.tsx";
import { useSession, useShell } from "../app/SessionContext.tsx";
import { InspectorPane } from "./InspectorPane.tsx";

/** Beside the pages: the conversation, and what its cache holds. */
export function SidePane() {
  const { t } = useTranslation();
  const session = useSession();
  const side = useShell((state) => state.side);
  return (
    <Tabs.Root
      className="side"
      value={side}
      onValueChange={(value) => session.stores.shell.setState({ side: value === "inspector" ? "inspector" : "conversation" })}
    >
      <Tabs.List className="side-tabs" aria-label={t("inspector.tabs")}>
        <Tabs.Trigger className="side-tab" value="conversation">
          {t("panes.conversation")}
        </Tabs.Trigger>
        <Tabs.Trigger className="side-tab" value="inspector" data-tour="heat">
          {t("inspector.name")}
        </Tabs.Trigger>
      </Tabs.List>
      {/* What is typed and how far it is scrolled stays while the other is looked at. */}
      <Tabs.Content className="side-content" value="conversation" forceMount tabIndex={-1}>
        <ConversationPane />
      </Tabs.Content>
      <Tabs.Content className="side-content" value="inspector" tabIndex={-1}>
        <InspectorPane />
      </Tabs.Content>
    </Tabs.Root>
  );
}
