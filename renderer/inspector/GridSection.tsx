import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Importance, LayerHead } from "../../electron/contract/heatmap.ts";
import { useHeat, useSession } from "../app/SessionContext.tsx";
import { formatShare } from "../text/format.ts";

/** What a cell of the grid is coloured by. */
const measures = ["keptAttention", "spread", "keptShare"] as const;
type Measure = (typeof measures)[number];

/** Layers × heads: what each keeps and looks at. A cell shows its own heat on the pages. */
export function GridSection({ importance }: { readonly importance: Importance }) {
  const { t } = useTranslation();
  const session = useSession();
  const [measure, setMeasure] = useState<Measure>("keptAttention");
  const chosen = useHeat((state) => state.layerHead);
  const { grid, layers, heads } = importance;
  const table = useRef<HTMLTableElement>(null);
  const [reached, setReached] = useState<LayerHead>({ layer: 0, head: 0 });
  if (grid === null) return null;
  const headNumbers = numbers(heads);

  const move = (event: KeyboardEvent): void => {
    const [down, right] = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key] ?? [0, 0];
    if (down === 0 && right === 0) return;
    event.preventDefault();
    const layer = Math.min(layers - 1, Math.max(0, reached.layer + (down ?? 0)));
    const head = Math.min(heads - 1, Math.max(0, reached.head + (right ?? 0)));
    setReached({ layer, head });
    table.current?.querySelector<HTMLButtonElement>(`[data-cell="${layer} ${head}"]`)?.focus();
  };
  const isOf = (one: LayerHead | null, layer: number, head: number): boolean => one?.layer === layer && one.head === head;
  return (
    <section className="inspector-section">
      <h3>{t("inspector.grid")}</h3>
      <div className="segments" role="radiogroup" aria-label={t("inspector.measure")}>
        {measures.map((name) => (
          <label key={name} title={t(`inspector.measureMeanings.${name}`)}>
            <input type="radio" name="measure" className="visually-hidden" checked={measure === name} onChange={() => setMeasure(name)} />
            <span className="segment">{t(`inspector.measures.${name}`)}</span>
          </label>
        ))}
      </div>
      <p className="inspector-note">{t(`inspector.measureMeanings.${measure}`)}</p>
      <table ref={table} className="grid" data-testid="grid" onKeyDown={move}>
        <thead>
          <tr>
            <th scope="col">{t("inspector.layer")}</th>
            {headNumbers.map((head) => (
              <th key={head} scope="col">
                {t("inspector.head", { head: head + 1 })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbers(layers).map((layer) => (
            <tr key={layer}>
              <th scope="row">{layer + 1}</th>
              {headNumbers.map((head) => {
                const value = grid[measure][layer * heads + head] ?? 0;
                const pressed = isOf(chosen, layer, head);
                return (
                  <td key={head}>
                    <button
                      type="button"
                      className="grid-cell"
                      data-cell={`${layer} ${head}`}
                      aria-pressed={pressed}
                      aria-label={t("inspector.cell", { layer: layer + 1, head: head + 1, value: formatShare(value) })}
                      title={t("inspector.cell", { layer: layer + 1, head: head + 1, value: formatShare(value) })}
                      tabIndex={isOf(reached, layer, head) ? 0 : -1}
                      onFocus={() => setReached({ layer, head })}
                      onClick={() => session.heat.choose({ layerHead: pressed ? null : { layer, head } })}
                    >
                      <span className="grid-bar" style={{ width: `${100 * value}%` }} aria-hidden="true" />
                      <span className="grid-value">{formatShare(value)}</span>
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** From 0. */
function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
