import { describe, expect, it } from "vitest";
import { errorCodes, exitCodeOf, LongsightError, problemSchema, toProblem } from "../../../electron/contract/errors.ts";

describe("toProblem", () => {
  it("keeps an error of ours as it is", () => {
    expect(toProblem(new LongsightError("document-missing", "“a.pdf” is gone.", "ENOENT"))).toEqual({
      code: "document-missing",
      message: "“a.pdf” is gone.",
      detail: "ENOENT",
    });
    expect(Object.keys(toProblem(new LongsightError("cancelled", "Stopped.")))).toEqual(["code", "message"]);
  });

  it("hides what is not ours behind a sentence and keeps its text for the report", () => {
    const problem = toProblem(new TypeError("x is not a function"));
    expect(problem.code).toBe("engine-failed");
    expect(problem.message).not.toContain("function");
    expect(problem.detail).toMatch(/x is not a function[\s\S]*errors\.test/);
  });

  it.each([undefined, null, "text", 7, Symbol("s"), { code: "cancelled", message: "not ours" }, new Error("")])(
    "makes a problem that crosses a process of whatever was thrown: %s",
    (thrown) => {
      const problem = toProblem(thrown);
      expect(problemSchema.parse(problem)).toEqual(problem);
      expect(problem.code).toBe("engine-failed");
    },
  );
});

describe("exitCodeOf", () => {
  it("gives each code the exit code that is promised for its part", () => {
    const promised: Record<string, number> = { cancelled: 130, "does-not-fit": 5, usage: 2, "not-supported": 2 };
    for (const code of errorCodes) {
      const part = code.startsWith("document-") ? 3 : /^(model|module)-/.test(code) ? 4 : (promised[code] ?? 6);
      expect([code, exitCodeOf(code)]).toEqual([code, part]);
    }
    expect(exitCodeOf("engine-died")).toBe(6);
    expect(exitCodeOf("document-password-needed")).toBe(3);
    expect(exitCodeOf("model-memory")).toBe(4);
  });
});

it("refuses a problem without a sentence or with a code that is none", () => {
  expect(problemSchema.safeParse({ code: "usage", message: "" }).success).toBe(false);
  expect(problemSchema.safeParse({ code: "weather", message: "Rain." }).success).toBe(false);
});
