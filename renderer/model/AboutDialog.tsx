import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EngineAbout } from "../../electron/contract/model.ts";
import { useModel, useSession } from "../app/SessionContext.tsx";
import { ModalDialog } from "../parts/ModalDialog.tsx";
import { formatBytes, formatCount } from "../text/format.ts";
import { moduleWords } from "./moduleWords.ts";

/** What computes here: the native build that was loaded, its variant, and the machine. */
export function AboutDialog() {
  const { t } = useTranslation();
  const session = useSession();
  const model = useModel((state) => state.current);
  const [about, setAbout] = useState<EngineAbout | null>(null);
  useEffect(() => {
    let gone = false;
    void session.model.about().then((result) => {
      if (!gone) setAbout(result);
    });
    return () => {
      gone = true;
    };
  }, [session]);
  const rows: readonly (readonly [string, string])[] =
    about === null
      ? []
      : [
          [t("about.version"), about.version],
          [t("about.build"), about.build],
          [t("about.variant"), about.variant],
          [t("about.backends"), about.backends.join(", ")],
          [t("about.gpu"), about.gpu ?? t("about.noGpu")],
          [t("about.library"), `node-llama-cpp ${about.nodeLlamaCpp}, ${t("about.addon", { version: about.addonVersion })}`],
          [t("about.runtime"), about.runtime],
          [
            t("about.machine"),
            t("about.machineFacts", {
              cores: about.cores,
              memory: formatBytes(about.memoryBytes),
              free: formatBytes(about.freeMemoryBytes),
            }),
          ],
          ...(model === null
            ? []
            : [
                [
                  t("about.model"),
                  t("about.modelFacts", {
                    name: model.report.name,
                    length: formatCount(model.contextLength),
                    type: model.kvType,
                    threads: model.threads,
                    cache: formatBytes(model.cacheBytes),
                  }),
                ] as const,
                [t("about.module"), moduleWords(model.lookahead, t)] as const,
              ]),
          [t("about.dataFolder"), about.dataFolder],
        ];
  return (
    <ModalDialog title={t("about.title")} onClose={() => session.showDialog(null)} wide>
      {about === null ? <p className="fit-words">{t("about.asking")}</p> : null}
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </ModalDialog>
  );
}
