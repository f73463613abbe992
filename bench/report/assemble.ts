import { z } from "zod";
import { benchOf, type Context, type Kind } from "./kind.ts";
import type { Group, LeftOut, Report, Run, Section } from "./model.ts";

/** A raw file as it lies there. */
export type RawFile = {
  /** Below docs/results, with `/`. */
  readonly file: string;
  readonly text: string;
};

type Understood = Run & { readonly kind: Kind };

/**
 * Makes a report of raw files. One that is damaged, or of no known kind, is listed with the reason. Of several runs of one series on one
 * machine the newest is shown, and where the older ones are; runs on other machines stand beside it.
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
    return { kind, origin: { ...origin, file }, shown };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.map(String).join(".")}`;
    return {
      file,
      reason: `It is damaged, or written by another version of “${kind.name}”${place}: ${issue?.message ?? "not what it should be"}.`,
    };
  }
}

function groupsOf(runs: readonly Understood[]): Group[] {
  const series = [...new Set(runs.map(({ origin }) => origin.series))].sort(compare);
  return series.map((name) => {
    const own = runs.filter(({ origin }) => origin.series === name);
    const machines = [...new Set(own.map(({ origin }) => origin.machine))].sort(compare);
    // Equal times are told apart by the name of the file, so that the same files always give the same report.
    const byMachine = machines.map((machine) =>
      own
        .filter(({ origin }) => origin.machine === machine)
        .sort(({ origin: one }, { origin: other }) => compare(other.date, one.date) || compare(other.file, one.file)),
    );
    const newest = byMachine.flatMap(([first]) => (first === undefined ? [] : [{ origin: first.origin, shown: first.shown }]));
    const older = byMachine.flatMap(([, ...rest]) => rest.map(({ origin }) => origin));
    return { subject: newest[0]?.shown.subject ?? name, runs: newest, older };
  });
}

/** By code units: no language's rules, which differ between machines. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
