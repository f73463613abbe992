import { describe, expect, it } from "vitest";
import { type ProgressEvent, progressEventSchema } from "../../../electron/contract/engine.ts";
import { remainingMilliseconds, startProgress, startReading } from "../../../electron/engine/progress.ts";

/** Milliseconds to do the units from 0 to `done` where a unit's cost grows in a line from `atStart` to `atEnd`. */
function elapsedFor(done: number, total: number, atStart: number, atEnd: number): number {
  return done * atStart + ((atEnd - atStart) / total) * (done ** 2 / 2);
}

/** Samples of a stage in steps of `step` units up to `until`, each step's cost multiplied by `noise(index)`. */
function samplesOf(until: number, step: number, elapsed: (done: number) => number, noise: (index: number) => number = () => 1) {
  const samples = [{ done: 0, elapsed: 0 }];
  let at = 0;
  for (let done = step, index = 0; done <= until; done += step, index++) {
    at += (elapsed(done) - elapsed(done - step)) * noise(index);
    samples.push({ done, elapsed: at });
  }
  return samples;
}

describe("remainingMilliseconds", () => {
  const total = 6000;
  const slowing = (done: number) => elapsedFor(done, total, 1000 / 260, 1000 / 80);

  it.each([0.25, 0.5, 0.75])("is within 30 %% at %s of a prefill that falls from 260 to 80 tokens a second", (share) => {
    const done = Math.floor((total * share) / 128) * 128;
    const truth = slowing(total) - slowing(done);
    const estimate = remainingMilliseconds(samplesOf(done, 128, slowing), total);
    expect(estimate).toBeGreaterThan(truth * 0.7);
    expect(estimate).toBeLessThan(truth * 1.3);
  });

  it("stays within 30 % where every other step is slowed by another program", () => {
    const done = 1536;
    const samples = samplesOf(done, 128, slowing, (index) => (index % 2 === 0 ? 0.85 : 1.15));
    const truth = slowing(total) - slowing(done);
    const estimate = remainingMilliseconds(samples, total);
    expect(estimate).toBeGreaterThan(truth * 0.7);
    expect(estimate).toBeLessThan(truth * 1.3);
  });

  it("is exact for a stage of even speed, whatever the step sizes", () => {
    const samples = [0, 10, 11, 200, 350, 400].map((done) => ({ done, elapsed: done * 5 }));
    expect(remainingMilliseconds(samples, 1000)).toBeCloseTo(3000, 3);
  });

  it("does not promise that a stage which got faster will go on getting faster", () => {
    const samples = [
      { done: 0, elapsed: 0 },
      { done: 100, elapsed: 2000 },
      { done: 200, elapsed: 2500 },
    ];
    expect(remainingMilliseconds(samples, 1000)).toBeCloseTo(800 * 12.5, 3);
  });

  it("knows nothing before two steps and half a second", () => {
    expect(remainingMilliseconds([], 100)).toBeNull();
    expect(
      remainingMilliseconds(
        [
          { done: 0, elapsed: 0 },
          { done: 50, elapsed: 5000 },
        ],
        100,
      ),
    ).toBeNull();
    const quick = [0, 1, 2, 3].map((done) => ({ done, elapsed: done * 100 }));
    expect(remainingMilliseconds(quick, 100)).toBeNull();
  });

  it("knows nothing while no unit was done, and needs nothing when all are", () => {
    const idle = [0, 400, 800, 1200].map((elapsed) => ({ done: 0, elapsed }));
    expect(remainingMilliseconds(idle, 100)).toBeNull();
    const all = [0, 40, 100].map((done) => ({ done, elapsed: done * 10 }));
    expect(remainingMilliseconds(all, 100)).toBe(0);
  });
});

/** A stage with a clock that the test moves. */
function stage(total: number) {
  let time = 5_000;
  const events: { event: ProgressEvent; time: number }[] = [];
  const progress = startProgress("prefill", total, (event) => events.push({ event, time }), { now: () => time });
  return {
    events,
    at(milliseconds: number, done: number) {
      time = 5_000 + milliseconds;
      progress.update(done);
    },
  };
}

describe("startProgress", () => {
  it("reports the start at once and the end always", () => {
    const { events, at } = stage(100);
    expect(events.map(({ event }) => event.fraction)).toEqual([0]);
    at(1, 50);
    at(2, 100);
    expect(events.map(({ event }) => event.fraction)).toEqual([0, 1]);
    expect(events.at(-1)?.event).toMatchObject({ stage: "prefill", done: 100, total: 100, secondsLeft: 0 });
  });

  it("reports about ten times a second however often it is told", () => {
    const { events, at } = stage(100_000);
    for (let millisecond = 1; millisecond <= 3_000; millisecond++) at(millisecond, millisecond);
    expect(events.length).toBeGreaterThan(25);
    expect(events.length).toBeLessThanOrEqual(31);
    for (const [index, { time }] of events.slice(1).entries()) expect(time - (events[index]?.time ?? 0)).toBeGreaterThanOrEqual(100);
  });

  it("never goes back and never passes the end", () => {
    const { events, at } = stage(1000);
    [100, 50, 400, 399, 0, 900, 5000, 200].forEach((done, index) => {
      at((index + 1) * 200, done);
    });
    const fractions = events.map(({ event }) => event.fraction);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
    for (const { event } of events) expect(progressEventSchema.safeParse(event).success).toBe(true);
  });

  it("reports the end once", () => {
    const { events, at } = stage(10);
    for (let call = 0; call < 20; call++) at(1, 10);
    expect(events.map(({ event }) => event.fraction)).toEqual([0, 1]);
  });

  it("is finished from the start where there is nothing to do", () => {
    const { events, at } = stage(0);
    at(10, 0);
    expect(events.map(({ event }) => [event.fraction, event.secondsLeft])).toEqual([[1, 0]]);
  });

  it("says the seconds that are left once it knows its speed", () => {
    const { events, at } = stage(1000);
    at(150, 100);
    expect(events.at(-1)?.event.secondsLeft).toBeNull();
    for (let step = 2; step <= 5; step++) at(step * 150, step * 100);
    expect(events.at(-1)?.event.secondsLeft).toBeCloseTo(0.75, 2);
  });

  it("works on the real clock", async () => {
    const events: ProgressEvent[] = [];
    const progress = startProgress("load", 2, (event) => events.push(event));
    await new Promise((resolve) => setTimeout(resolve, 120));
    progress.update(1);
    expect(events.map((event) => event.fraction)).toEqual([0, 0.5]);
  });
});

describe("startReading", () => {
  it("is one stage for all who read on, counted from where the first began", () => {
    const events: ProgressEvent[] = [];
    const reading = startReading(1000, (event) => events.push(event));
    // Nothing is said before it is known where reading begins.
    reading.update(100);
    expect(events).toEqual([]);
    reading.begin(200);
    reading.begin(900);
    reading.update(1000);
    expect(events).toMatchObject([
      { stage: "prefill", done: 0, total: 800, fraction: 0 },
      { stage: "prefill", done: 800, total: 800, fraction: 1 },
    ]);
  });
});

it("takes what was done before for no measure of its speed", () => {
  let time = 0;
  const events: ProgressEvent[] = [];
  const progress = startProgress("download", 1000, (event) => events.push(event), { now: () => time, from: 900 });
  for (const done of [910, 920, 930]) {
    time += 1000;
    progress.update(done);
  }
  expect(events[0]).toMatchObject({ done: 900, fraction: 0.9, secondsLeft: null });
  // 10 units a second: 70 are left.
  expect(events.at(-1)?.secondsLeft).toBeCloseTo(7, 1);
});
