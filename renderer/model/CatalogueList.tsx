import { useTranslation } from "react-i18next";
import type { OfferedModel } from "../../electron/contract/catalogue.ts";
import { useModel, useSession } from "../app/SessionContext.tsx";
import { Button } from "../parts/Button.tsx";
import { ProblemText } from "../parts/ProblemText.tsx";
import { ProgressBar } from "../parts/ProgressBar.tsx";
import { formatBytes, formatCount } from "../text/format.ts";
import { useProgressWords } from "../text/useProgressWords.ts";

/** Models that can be downloaded. Nothing is asked of any server before a person presses Download and agrees to the address. */
export function CatalogueList() {
  const { t } = useTranslation();
  const offers = useModel((state) => state.offers);
  const missing = offers.filter((offer) => offer.path === null);
  if (missing.length === 0) return null;
  return (
    <fieldset className="model-list model-offers">
      <legend>{t("downloads.title")}</legend>
      {missing.map((offer) => (
        <Offer key={offer.id} offer={offer} />
      ))}
    </fieldset>
  );
}

function Offer({ offer }: { readonly offer: OfferedModel }) {
  const { t } = useTranslation();
  const session = useSession();
  const download = useModel((state) => state.downloads[offer.id] ?? null);
  const progress = useProgressWords(download?.progress ?? null, t("downloads.asking"));
  const running = download?.running ?? false;
  const begun = offer.partBytes > 0;
  const { name } = offer;
  return (
    <div className="model-option" data-testid="offer">
      <span className="model-option-body">
        <span className="model-option-name">
          <span className="truncate">{name}</span>
          <span className="pill">{offer.licence}</span>
        </span>
        <span className="library-facts">
          {t("model.facts", {
            quantisation: offer.quantisation,
            size: formatBytes(offer.bytes),
            trained: formatCount(offer.trainedContextLength),
          })}
        </span>
        <span className="library-facts offer-address">{offer.address}</span>
        {begun && !running ? (
          <span className="library-facts">
            {t("downloads.part", { done: formatBytes(offer.partBytes), total: formatBytes(offer.bytes) })}
          </span>
        ) : null}
        {running ? (
          <ProgressBar label={progress.label} detail={progress.detail} fraction={progress.fraction} testId="download-progress" />
        ) : null}
        {download?.problem ? <ProblemText problem={download.problem} testId="download-problem" /> : null}
        <span className="offer-tools">
          {running ? (
            <Button aria-label={t("downloads.pauseOf", { name })} onClick={() => session.downloads.pause(offer.id)}>
              {t("downloads.pause")}
            </Button>
          ) : (
            <Button
              aria-label={t(begun ? "downloads.resumeOf" : "downloads.downloadOf", { name })}
              onClick={() => void session.downloads.start(offer.id)}
            >
              {t(begun ? "downloads.resume" : "downloads.download")}
            </Button>
          )}
          {running || begun ? (
            <Button kind="quiet" aria-label={t("downloads.discardOf", { name })} onClick={() => void session.downloads.discard(offer.id)}>
              {t("downloads.discard")}
            </Button>
          ) : null}
        </span>
      </span>
    </div>
  );
}
