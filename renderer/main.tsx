import "./strictSchemas.ts";
import "./text/i18n.ts";
import "./styles/index.css";
import { useEffect } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { SessionProvider } from "./app/SessionContext.tsx";
import { createSession } from "./app/session.ts";
import { createEngineCaller, sendByWindow } from "./engine/call.ts";
import { createShellCaller } from "./shell/bridge.ts";

const session = createSession(createEngineCaller(sendByWindow(window)), createShellCaller(window.longsight));

function Window() {
  useEffect(() => {
    window.performance.mark("longsight:interactive");
  }, []);
  return (
    <SessionProvider value={session}>
      <App />
    </SessionProvider>
  );
}

const root = document.getElementById("root");
if (root !== null) void session.readSettings().then(() => createRoot(root).render(<Window />));
