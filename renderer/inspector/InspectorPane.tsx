import { useTranslation } from "react-i18next";
import { useHeat, useSession } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { CoverageSection } from "./CoverageSection.tsx";
import { GridSection } from "./GridSection.tsx";
import { PassagesSection } from "./PassagesSection.tsx";
import { PinsSection } from "./PinsSection.tsx";

/** What the model looks at and what its cache holds, in words and numbers: the heat's other face. */
export function InspectorPane() {
  const { t } = useTranslation();
  const session = useSession();
  const subject = useHeat((state) => state.subject);
  return (
    <section className="inspector" aria-label={t("inspector.name")} data-testid="inspector" data-pane="inspector" tabIndex={-1}>
      {subject.status === "ready" ? (
        <>
          <CoverageSection importance={subject.importance} />
          <PassagesSection importance={subject.importance} />
          <PinsSection />
          <GridSection importance={subject.importance} />
        </>
      ) : (
        <>
          <p className="inspector-empty">{t(`inspector.empty.${subject.status}`)}</p>
          {subject.status === "missing" ? (
            <Button className="button-small" onClick={() => void session.heat.read()} title={t("heat.readMeaning")}>
              {t("heat.read")}
            </Button>
          ) : null}
          <PinsSection />
        </>
      )}
    </section>
  );
}
