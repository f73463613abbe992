import type { TFunction } from "i18next";
import type { LoadedModel } from "../../electron/contract/model.ts";
import { formatCount } from "../text/format.ts";

/** Which lookahead module a loaded model has, and how long that has learned; or what takes its place. */
export function moduleWords(module: LoadedModel["lookahead"], t: TFunction): string {
  if (module === null) return t("modules.none");
  const { name, steps } = module;
  return steps === 0 ? t("modules.untrained", { name }) : t("modules.trained", { name, count: steps, steps: formatCount(steps) });
}
