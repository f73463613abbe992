import { MemoryStick } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Problem, toProblem } from "../../electron/contract/errors.ts";
import type { Memory } from "../../electron/contract/memory.ts";
import { useSession } from "../app/SessionContext.tsx";
import { PopoverLayer } from "../parts/Layers.tsx";
import { formatBytes } from "../text/format.ts";
import { useWords } from "../text/words.ts";

/** Milliseconds between two looks while the gauge is open. */
const every = 1000;

/** What memory is in use, behind a button. It is measured only while somebody looks. */
export function MemoryGauge() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="icon-button" aria-label={t("memory.open")} title={t("memory.meaning")}>
        <MemoryStick aria-hidden="true" size={16} />
      </Popover.Trigger>
      <PopoverLayer side="top" align="end" sideOffset={6} label={t("memory.name")}>
        <Measured />
      </PopoverLayer>
    </Popover.Root>
  );
}

function Measured() {
  const { t } = useTranslation();
  const words = useWords();
  const { memory, problem } = useMemory();
  if (problem !== null) return <p>{words(problem)}</p>;
  return (
    <>
      <h3 className="memory-name">{t("memory.name")}</h3>
      {memory === null ? <p className="popover-note">{t("memory.measuring")}</p> : <MemoryRows memory={memory} />}
      <p className="popover-note">{t("memory.measured")}</p>
    </>
  );
}

type MemoryRow = {
  readonly name: "weights" | "full" | "kept" | "process" | "machine";
  readonly bytes: number;
  readonly words: string;
};

/** What there is of memory, in words and as bars whose full length is the machine's memory. */
export function MemoryRows({ memory: { model, residentBytes, memoryBytes, freeMemoryBytes } }: { readonly memory: Memory }) {
  const { t } = useTranslation();
  const sizeOr = (bytes: number): string => (bytes === 0 ? t("memory.none") : formatBytes(bytes));
  const used = Math.max(0, memoryBytes - freeMemoryBytes);
  const rows: readonly MemoryRow[] = [
    ...(model === null
      ? []
      : [
          { name: "weights" as const, bytes: model.weightsBytes, words: formatBytes(model.weightsBytes) },
          { name: "full" as const, bytes: model.fullCacheBytes, words: sizeOr(model.fullCacheBytes) },
          { name: "kept" as const, bytes: model.keptCacheBytes, words: sizeOr(model.keptCacheBytes) },
        ]),
    { name: "process", bytes: residentBytes, words: formatBytes(residentBytes) },
    { name: "machine", bytes: used, words: t("memory.free", { free: formatBytes(freeMemoryBytes), total: formatBytes(memoryBytes) }) },
  ];
  return (
    <dl className="memory-rows" data-testid="memory">
      {rows.map(({ name, bytes, words }) => (
        <div key={name} className="memory-row" data-part={name} title={t(`memory.meanings.${name}`)}>
          <dt>{t(`memory.parts.${name}`)}</dt>
          <dd>
            {words}
            <span className="memory-track" aria-hidden="true">
              <span className="memory-bar" style={{ width: `${Math.min(100, (100 * bytes) / Math.max(1, memoryBytes))}%` }} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Measured now and then, as long as this is shown. */
function useMemory(): { readonly memory: Memory | null; readonly problem: Problem | null } {
  const { engine } = useSession().context;
  const [state, setState] = useState<{ readonly memory: Memory | null; readonly problem: Problem | null }>({ memory: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const look = async (): Promise<void> => {
      try {
        const memory = await engine("memory", {}, { signal: stop.signal });
        if (!stop.signal.aborted) setState({ memory, problem: null });
      } catch (error) {
        if (!stop.signal.aborted) setState((before) => ({ ...before, problem: toProblem(error) }));
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void look(), every);
    };
    void look();
    return () => {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [engine]);
  return state;
}
