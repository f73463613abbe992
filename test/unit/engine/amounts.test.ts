import { expect, it } from "vitest";
import { amountOf } from "../../../electron/engine/amounts.ts";

it("names one thing and many", () => {
  expect([0, 1, 2, 1024].map((count) => amountOf(count, "page"))).toEqual(["0 pages", "1 page", "2 pages", "1,024 pages"]);
});
