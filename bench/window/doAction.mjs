// One thing that a person does with the window, measured: its frames from the page, its tasks from a trace of Chromium.
import { readFile } from "node:fs/promises";

/** In the page: notes when each frame is begun, until it is stopped. */
function startFrames() {
  const times = [];
  let running = true;
  const next = (time) => {
    times.push(time);
    if (running) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  globalThis.longsightFrames = () => {
    running = false;
    return times;
  };
}

/** Does one thing in the window. @returns when its frames were begun, and the marks around it */
export async function doAction(page, { name, before, run }) {
  await before?.(page);
  await page.waitForTimeout(1200);
  const marks = { from: `bench:${name}:from`, to: `bench:${name}:to` };
  await page.evaluate(startFrames);
  await page.evaluate((mark) => performance.mark(mark), marks.from);
  await run(page);
  await page.evaluate((mark) => performance.mark(mark), marks.to);
  return { name, marks, frameTimes: await page.evaluate(() => globalThis.longsightFrames()) };
}

/** Has Chromium write a trace of all its processes while something is done. @returns what came of it */
export async function recordTrace(app, file, work) {
  const categories = ["toplevel", "blink.user_timing", "devtools.timeline", "disabled-by-default-devtools.timeline"];
  await app.evaluate(({ contentTracing }, included) => contentTracing.startRecording({ included_categories: included }), categories);
  const result = await work();
  await app.evaluate(({ contentTracing }, path) => contentTracing.stopRecording(path), file);
  return result;
}

/**
 * How smooth the window was in each action.
 * @param tools of bench/window/main.ts. @param pid of the window's renderer
 * @returns figures by action, with the tasks that were too long
 */
export async function judgeActions(tools, file, pid, done) {
  const { traceEvents } = tools.traceSchema.parse(JSON.parse(await readFile(file, "utf8")));
  return done.map(({ name, marks, frameTimes }) => {
    const tasks = tools.tasksBetween(traceEvents, pid, marks);
    const long = tasks.filter(({ wallMs }) => wallMs > tools.limitMs);
    return { name, ...tools.smoothnessOf(frameTimes, tasks), long };
  });
}
