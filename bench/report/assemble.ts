import { z } from "zod";
import { benchOf, type Context, type Kind } from "./kind.ts";
import type { Group, LeftOut, Plot, Report, Run, Section } from "./model.ts";

/** A raw file as it lies there. */
export type RawFile = {
  /** Below docs/results, with `/`. */
  readonly file: string;
  readonly text: string;
};

type Understood = Run & { readonly kind: Kind };

/**
 * Makes a report of raw files. One that is damaged, or of no known kind, is listed with the reason. Of several runs of one series on one
 * machine one is shown, the newest as a rule, and where the others are; runs on other machines stand beside it.
 */
export function assembleReport(files: readonly RawFile[], kinds: readonly Kind[], context: Context): Report {
  const read = [...files].sort((one, other) => compare(one.file, other.file)).map((file) => readRaw(file, kinds, context));
  const understood = read.flatMap((result) => ("shown" in result ? result : []));
  const sections = kinds.flatMap((kind): Section[] => {
    const groups = groupsOf(understood.filter((run) => run.kind === kind));
    return groups.length === 0 ? [] : [{ kind: kind.name, title: kind.title, about: kind.about, groups }];
  });
  const shown = sections.flatMap(({ groups }) => groups.flatMap(({ runs }) => runs));
  const judged = new Set(shown.flatMap(({ shown: { verdicts } }) => verdicts.map(({ aim }) => aim)));
  return {
    missed: shown.flatMap(({ origin, shown: { subject, verdicts } }) =>
      verdicts.filter(({ isMet }) => !isMet).map((verdict) => ({ subject, verdict, origin })),
    ),
    unmeasured: kinds.flatMap(({ title, aims }) => {
      const open = aims.filter((aim) => !judged.has(aim));
      return open.length === 0 ? [] : { title, aims: open };
    }),
    sections,
    leftOut: read.filter((result) => "reason" in result),
    headlines: shown.flatMap(({ origin, shown: { headlines } }) => headlines.map((headline) => ({ headline, origin }))),
  };
}

function readRaw({ file, text }: RawFile, kinds: readonly Kind[], context: Context): Understood | LeftOut {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { file, reason: "It is damaged: not JSON." };
  }
  const kind = kinds.find(({ claims }) => claims(content));
  if (kind === undefined) {
    const bench = benchOf(content);
    return { file, reason: bench === null ? "It does not say which bench wrote it." : `The report does not know the bench “${bench}”.` };
  }
  try {
    const { origin, shown } = kind.read(content, context);
    return { kind, origin: { ...origin, file }, shown: { ...shown, plots: shown.plots.filter(hasFigures) } };
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    return { file, reason: `It is damaged, or written by another version of “${kind.name}”: ${fault}.` };
  }
}

/** What a file lacks; null for a fault that is none of the file's. */
function faultOf(error: unknown): string | null {
  if (error instanceof RangeError) return error.message;
  if (!(error instanceof z.ZodError)) return null;
  const [issue] = error.issues;
  if (issue === undefined) return "not what it should be";
  return issue.path.length === 0 ? issue.message : `${issue.path.map(String).join(".")}: ${issue.message}`;
}

const hasFigures = (plot: Plot): boolean =>
  plot.form === "bars" ? plot.bars.length > 0 : plot.series.some(({ points }) => points.length > 0);

function groupsOf(runs: readonly Understood[]): Group[] {
  const series = [...new Set(runs.map(({ origin }) => origin.series))].sort(compare);
  return series.map((name) => {
    const own = runs.filter(({ origin }) => origin.series === name);
    const machines = [...new Set(own.map(({ origin }) => origin.machine))].sort(compare);
    const byMachine = machines.map((machine) => own.filter(({ origin }) => origin.machine === machine).sort(byPrecedence));
    const newest = byMachine.flatMap(([first]) => (first === undefined ? [] : [{ origin: first.origin, shown: first.shown }]));
    const others = byMachine.flatMap(([, ...rest]) => rest.map(({ origin }) => origin));
    return { subject: newest[0]?.shown.subject ?? name, runs: newest, others };
  });
}

/**
 * The newest run first; but one of trial modules alone, of which no aim speaks, does not hide the figures of what comes with the app. Equal
 * times are told apart by the name of the file, so that the same files always give the same report.
 */
function byPrecedence(one: Understood, other: Understood): number {
  const silent = ({ shown: { verdicts, headlines } }: Understood) => Number(verdicts.length + headlines.length === 0);
  return silent(one) - silent(other) || compare(other.origin.date, one.origin.date) || compare(other.origin.file, one.origin.file);
}

/** By code units: no language's rules, which differ between machines. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
