/** What kinds make of raw files, and what pages are written from. Pure data, texts as people read them. */

/** Rows of texts; the first cell of a row names it. Columns have different texts. */
export type Table = {
  readonly caption: string;
  readonly columns: readonly { readonly text: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly string[])[];
};

/** A point, with the ends of its interval where it has one. */
type Point = { readonly x: number; readonly y: number; readonly low?: number; readonly high?: number };

export type Series = { readonly name: string; readonly points: readonly Point[] };

type PlotHead = {
  /** Tells a raw file's plots apart, in words that a file name may have. */
  readonly name: string;
  readonly title: string;
};

export type LinePlot = PlotHead & {
  readonly form: "lines";
  readonly x: { readonly label: string; readonly scale: "logarithmic" | "linear" };
  /** `most`: the axis ends there, where the greatest value says nothing. A logarithmic one takes values above 0, and begins at none. */
  readonly y: { readonly label: string; readonly most?: number; readonly scale?: "logarithmic" };
  readonly series: readonly Series[];
};

export type BarPlot = PlotHead & {
  readonly form: "bars";
  /** Of the values. */
  readonly label: string;
  /** `text`: the value as it is written beside the bar. */
  readonly bars: readonly { readonly name: string; readonly value: number; readonly text: string }[];
  /** A line that no bar should cross. */
  readonly limit: { readonly value: number; readonly text: string } | null;
};

export type Plot = LinePlot | BarPlot;

/** What an issue asks for, in figures. */
export type Aim = { readonly issue: number; readonly text: string };

/** What a raw file says of an aim. */
export type Verdict = { readonly aim: Aim; readonly found: string; readonly isMet: boolean };

/** A line of the README's table. */
export type Headline = { readonly what: string; readonly figure: string };

/** Everything that one raw file has to say. */
export type Shown = {
  /** What was measured, in a few words: model, length. */
  readonly subject: string;
  readonly tables: readonly Table[];
  readonly plots: readonly Plot[];
  readonly verdicts: readonly Verdict[];
  readonly headlines: readonly Headline[];
  /** Sentences that belong below the tables. */
  readonly notes: readonly string[];
};

/** Where figures come from. */
export type Origin = {
  /** Below docs/results, with `/`. */
  readonly file: string;
  readonly command: string;
  /** ISO 8601; a day at least. */
  readonly date: string;
  /** The code that was measured; null where it was not noted. */
  readonly commit: string | null;
  /** In words; see machine.ts. */
  readonly machine: string;
  /** Runs of one series on one machine are the same measurement at different times. */
  readonly series: string;
};

/** A raw file that was understood. */
export type Run = { readonly origin: Origin; readonly shown: Shown };

/** A raw file that was not. */
export type LeftOut = { readonly file: string; readonly reason: string };

/** Runs of one series, one of each machine beside each other. */
export type Group = {
  readonly subject: string;
  readonly runs: readonly Run[];
  /** Other runs of the same on the same machines, which nothing is shown of but where they are. */
  readonly others: readonly Origin[];
};

export type Section = { readonly kind: string; readonly title: string; readonly about: string; readonly groups: readonly Group[] };

export type Report = {
  readonly missed: readonly { readonly subject: string; readonly verdict: Verdict; readonly origin: Origin }[];
  /** Aims that no raw file says anything of, by kind. */
  readonly unmeasured: readonly { readonly title: string; readonly aims: readonly Aim[] }[];
  readonly sections: readonly Section[];
  readonly leftOut: readonly LeftOut[];
  readonly headlines: readonly { readonly headline: Headline; readonly origin: Origin }[];
};

/** A column of texts. */
export const named = (text: string) => ({ text, isNumber: false });
/** A column of figures. */
export const counted = (text: string) => ({ text, isNumber: true });
