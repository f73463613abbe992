import type { Check } from "./check.ts";
import { budget, type Quality } from "./quality.ts";

/** Something that the run has to show. `measured`: what it showed when the expectation was written. */
type Expectation = {
  readonly what: string;
  readonly readFrom: (quality: Quality) => number;
  readonly least: number;
  readonly measured: number;
};

/**
 * Measured on an x86-64 with AVX-512. Other processors round otherwise, so that a digit of an answer may differ: there is room for that, and
 * none for a module that foretells no better than SnapKV.
 */
export const expectations: readonly Expectation[] = [
  { what: "needles that the full cache finds", readFrom: ({ needles }) => needles.full, least: 9, measured: 10 },
  { what: `needles that the module finds in ${budget} tokens`, readFrom: ({ needles }) => needles.lookahead, least: 8, measured: 10 },
  {
    what: "needles that it finds and SnapKV does not",
    readFrom: ({ needles }) => needles.lookahead - needles.snapkv,
    least: 6,
    measured: 10,
  },
  { what: "the module's recall of what the answer looks at", readFrom: ({ recall }) => recall.lookahead, least: 0.78, measured: 0.818 },
  { what: "SnapKV's recall", readFrom: ({ recall }) => recall.snapkv, least: 0.42, measured: 0.461 },
  {
    what: "recall of the module above SnapKV's",
    readFrom: ({ recall }) => recall.lookahead - recall.snapkv,
    least: 0.27,
    measured: 0.357,
  },
  {
    what: "tokens in which the module's cache agrees with the full one",
    readFrom: ({ agreement }) => agreement.lookahead,
    least: 0.84,
    measured: 0.915,
  },
];

/** Holds what was measured against what is expected. */
export function judgeQuality(quality: Quality): Check[] {
  return expectations.map(({ what, readFrom, least, measured }): Check => {
    const value = readFrom(quality);
    const text = `${what}: ${shown(value)}, at least ${shown(least)} expected, ${shown(measured)} measured before`;
    return { state: value >= least ? "passed" : "failed", text };
  });
}

/** Numbers of needles are whole, shares are not. */
const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(3));
