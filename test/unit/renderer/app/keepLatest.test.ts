import { describe, expect, it } from "vitest";
import { keepLatest } from "../../../../renderer/app/keepLatest.ts";

describe("what was asked for last", () => {
  it("is asked for once as long as it is kept, and the one not used for longest goes", async () => {
    const asked: string[] = [];
    const latest = keepLatest<string>(2);
    const get = (key: string) =>
      latest(key, async () => {
        asked.push(key);
        return key.toUpperCase();
      });
    for (const key of ["a", "b", "a", "c", "a", "b"]) expect(await get(key)).toBe(key.toUpperCase());
    expect(asked).toEqual(["a", "b", "c", "b"]);
  });

  it("is asked for again after a failure", async () => {
    const latest = keepLatest<number>(2);
    let times = 0;
    const get = () =>
      latest("page", async () => {
        times += 1;
        if (times === 1) throw new Error("not there");
        return times;
      });
    await expect(get()).rejects.toThrow("not there");
    expect(await get()).toBe(2);
    expect(await get()).toBe(2);
  });
});
