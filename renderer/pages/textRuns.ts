import type { PageText } from "../../electron/contract/document.ts";

/** A piece of one line of text with its place in points from the page's top left corner. */
export type TextRun = {
  /** First UTF-16 unit in the page's text. */
  readonly start: number;
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
};

type OpenRun = { start: number; text: string; left: number; top: number; right: number; bottom: number };

/** Gap between two characters of one run, in heights of the run. */
const widestGap = 1.5;

/**
 * Joins characters to runs that can be laid over the page as selectable text. Characters without a place of their own (added
 * spaces, line ends) go with the run before them. Works in reading order, so right-to-left lines come out whole as well.
 */
export function textRunsOf({ text, boxes }: Pick<PageText, "text" | "boxes">): TextRun[] {
  const runs: TextRun[] = [];
  let run: OpenRun | null = null;

  const close = (): void => {
    if (run !== null && run.text.trim() !== "") {
      const { start, text: joined, left, top, right, bottom } = run;
      runs.push({ start, text: joined, left, top, width: right - left, height: bottom - top });
    }
    run = null;
  };

  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const left = boxes[index * 4] ?? 0;
    const top = boxes[index * 4 + 1] ?? 0;
    const right = boxes[index * 4 + 2] ?? 0;
    const bottom = boxes[index * 4 + 3] ?? 0;
    if (character === "\n" || character === "\r") {
      if (run !== null) run.text += character;
      close();
    } else if (right <= left || bottom <= top) {
      if (run !== null) run.text += character;
    } else if (run !== null && belongs(run, left, top, right, bottom)) {
      run.text += character;
      run.left = Math.min(run.left, left);
      run.top = Math.min(run.top, top);
      run.right = Math.max(run.right, right);
      run.bottom = Math.max(run.bottom, bottom);
    } else {
      close();
      run = { start: index, text: character, left, top, right, bottom };
    }
  }
  close();
  return runs;
}

function belongs(run: OpenRun, left: number, top: number, right: number, bottom: number): boolean {
  const height = run.bottom - run.top;
  const shared = Math.min(run.bottom, bottom) - Math.max(run.top, top);
  const gap = Math.max(left - run.right, run.left - right, 0);
  return shared >= 0.3 * Math.min(height, bottom - top) && gap <= widestGap * height;
}
