import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { SessionProvider } from "../../../renderer/app/SessionContext.tsx";
import type { Session } from "../../../renderer/app/session.ts";
import "../../../renderer/text/i18n.ts";

/** The markup of a part of the window as its session stands now. */
export function show(session: Session, part: ReactElement): string {
  // React takes a store's first state where there is no document; here that is to be the present one.
  for (const store of Object.values(session.stores)) Object.assign(store, { getInitialState: store.getState });
  return renderToStaticMarkup(<SessionProvider value={session}>{part}</SessionProvider>);
}
