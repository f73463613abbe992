// Shows how far a long step is: one line that is rewritten on a terminal, a line now and then anywhere else.
import { stderr } from "node:process";

const LINE_EVERY_MS = 10_000;

/** A number of seconds in words: "40 s", "3 min". */
export function inWords(seconds) {
  if (seconds < 100) return `${Math.max(1, Math.round(seconds))} s`;
  return `${Math.round(seconds / 60)} min`;
}

/**
 * One progress line.
 * @param {string} step
 * @param {number} fraction 0 … 1
 * @param {number} elapsedMs since the step began
 */
export function progressLine(step, fraction, elapsedMs) {
  const percent = fraction > 0 ? ` · ${Math.floor(fraction * 100)} %` : "";
  // The first few percent say little about the rest.
  const known = fraction >= 0.05 && fraction < 1 && elapsedMs > 3_000;
  const left = known ? ` · about ${inWords((elapsedMs * (1 - fraction)) / fraction / 1000)} left` : "";
  return `${step}${percent}${left}`;
}

/**
 * A reporter for one task of several steps.
 * @param {{ stream?: { write: (text: string) => unknown, isTTY?: boolean | undefined }, quiet?: boolean, now?: () => number }} [options] quiet: says nothing but what lasts over two seconds
 */
export function progress({ stream = stderr, quiet = false, now = Date.now } = {}) {
  const terminal = stream.isTTY === true;
  const created = now();
  let step = "";
  let startedAt = created;
  let shownAt = Number.NEGATIVE_INFINITY;
  let open = false;

  const close = () => {
    if (open) stream.write("\n");
    open = false;
  };
  return {
    /** @param {string} name @param {number} [fraction] 0 … 1 of the whole task */
    say(name, fraction = 0) {
      const time = now();
      const changed = name !== step;
      if (changed) {
        if (terminal) close();
        step = name;
        if (fraction < 0.05) startedAt = time;
      }
      if (quiet && time - created < 2_000) return;
      if (!changed && time - shownAt < (terminal ? 200 : LINE_EVERY_MS)) return;
      shownAt = time;
      const line = progressLine(step, fraction, time - startedAt);
      if (terminal) {
        stream.write(`\r\u001b[2K${line}`);
        open = true;
      } else {
        stream.write(`${line}\n`);
      }
    },
    /** A line of its own that stays. */
    note(line) {
      if (terminal && open) stream.write("\r\u001b[2K");
      open = false;
      stream.write(`${line}\n`);
    },
    end: close,
  };
}
