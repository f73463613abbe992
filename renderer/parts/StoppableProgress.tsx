import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";
import { ProgressBar } from "./ProgressBar.tsx";

type StoppableProgressProps = ComponentProps<typeof ProgressBar> & {
  /** Name of the button where there may be several. */
  readonly stopLabel?: string;
  readonly onStop: () => void;
};

/** A wait, and the button that ends it. */
export function StoppableProgress({ stopLabel, onStop, ...progress }: StoppableProgressProps) {
  const { t } = useTranslation();
  return (
    <>
      <ProgressBar {...progress} />
      <Button className="button-small" aria-label={stopLabel} onClick={onStop}>
        {t("common.cancel")}
      </Button>
    </>
  );
}
