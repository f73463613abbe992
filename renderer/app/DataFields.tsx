import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button.tsx";
import { useSession } from "./SessionContext.tsx";

/** The part of the settings about what stays on this computer: all of it, and where. */
export function DataFields() {
  const { t } = useTranslation();
  const session = useSession();
  const [folder, setFolder] = useState("");
  useEffect(() => {
    let gone = false;
    void session.dataFolder().then((path) => {
      if (!gone) setFolder(path);
    });
    return () => {
      gone = true;
    };
  }, [session]);
  return (
    <fieldset className="settings-part" data-testid="data">
      <legend>{t("settings.data")}</legend>
      <div className="data-folder">
        <p>
          {t("settings.dataFolder")} <span className="data-path">{folder}</span>
        </p>
        <Button disabled={folder === ""} onClick={() => void session.openDataFolder()}>
          {t("settings.openFolder")}
        </Button>
      </div>
      <p className="field-hint">{t("settings.telemetry")}</p>
    </fieldset>
  );
}
