import { ChevronDown, Cpu, Menu, Settings as SettingsIcon } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useTranslation } from "react-i18next";
import { runningAnswer } from "../answer/answerStore.ts";
import { hasNoText } from "../documents/documentsStore.ts";
import { IconButton } from "../parts/Button.tsx";
import { MenuLayer } from "../parts/Layers.tsx";
import { formatCount } from "../text/format.ts";
import { useProgressWords } from "../text/useProgressWords.ts";
import { useWords } from "../text/words.ts";
import { useAnswers, useDocuments, useModel, useSession, useShell } from "./SessionContext.tsx";

type TopBarProps = { readonly libraryOpen: boolean; readonly onLibrary: () => void };

/** What is open, which model answers and what it is doing. */
export function TopBar({ libraryOpen, onLibrary }: TopBarProps) {
  const { t } = useTranslation();
  const session = useSession();
  const summary = useDocuments((state) => (state.shownId === null ? undefined : state.open[state.shownId]));
  return (
    <header className="top-bar">
      <IconButton label={libraryOpen ? t("panes.hideLibrary") : t("panes.showLibrary")} aria-expanded={libraryOpen} onClick={onLibrary}>
        <Menu aria-hidden="true" size={18} />
      </IconButton>
      <h1 className="product">Longsight</h1>
      <div className="top-document">
        {summary === undefined ? null : (
          <>
            <span className="truncate top-name" title={summary.path}>
              {summary.name}
            </span>
            <span className="top-facts">
              {t("documents.pages", { count: summary.pages.length, pages: formatCount(summary.pages.length) })}
              {summary.tokens === null || hasNoText(summary)
                ? ""
                : ` · ${t("documents.tokens", { count: summary.tokens, tokens: formatCount(summary.tokens) })}`}
            </span>
          </>
        )}
      </div>
      <ModelButton />
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="icon-button" aria-label={t("topBar.more")} title={t("topBar.more")}>
          <SettingsIcon aria-hidden="true" size={18} />
        </DropdownMenu.Trigger>
        <MenuLayer align="end">
          <DropdownMenu.Item className="menu-item" onSelect={() => session.showDialog("settings")}>
            {t("topBar.settings")}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => session.showDialog("shortcuts")}>
            {t("topBar.shortcuts")}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => session.showTour(0)}>
            {t("topBar.tour")}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => session.showDialog("about")}>
            {t("topBar.about")}
          </DropdownMenu.Item>
        </MenuLayer>
      </DropdownMenu.Root>
    </header>
  );
}

/** The model's name and state in words, with a dot that repeats the state in colour. */
function ModelButton() {
  const { t } = useTranslation();
  const words = useWords();
  const session = useSession();
  const engine = useShell((state) => state.engine.state);
  const current = useModel((state) => state.current);
  const loading = useModel((state) => state.loading);
  const looking = useModel((state) => state.looking);
  const problem = useModel((state) => state.problem);
  const answering = useAnswers((state) => runningAnswer(state) !== null);
  const progress = useProgressWords(loading?.progress ?? null, t("model.loading"));
  const state =
    engine === "stopped" || engine === "unresponsive"
      ? ({ tone: "bad", words: t(`model.states.${engine}`) } as const)
      : engine === "starting"
        ? ({ tone: "busy", words: t("model.states.starting") } as const)
        : loading !== null || looking
          ? ({
              tone: "busy",
              words: progress.fraction === null ? t("model.states.loading") : t("model.states.loadingAt", { detail: progress.detail }),
            } as const)
          : current === null
            ? ({ tone: problem === null ? "busy" : "bad", words: t("model.states.none") } as const)
            : answering
              ? ({ tone: "busy", words: t("model.states.answering") } as const)
              : ({ tone: "good", words: t("model.states.ready") } as const);
  const name = loading?.name ?? current?.report.name ?? t(looking ? "model.title" : "model.noneName");
  return (
    <button
      type="button"
      className="model-button"
      title={problem === null ? undefined : words(problem)}
      disabled={engine !== "ready"}
      onClick={() => session.showDialog("model")}
    >
      <Cpu aria-hidden="true" size={16} />
      <span className="truncate model-name">{name}</span>
      <span className={`dot dot-${state.tone}`} aria-hidden="true" />
      <span className="model-state" role="status">
        {state.words}
      </span>
      <ChevronDown aria-hidden="true" size={14} />
    </button>
  );
}
