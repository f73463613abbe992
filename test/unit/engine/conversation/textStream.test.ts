import { describe, expect, it } from "vitest";
import { createTextStream } from "../../../../electron/engine/conversation/textStream.ts";

/** Feeds bytes in pieces of `size`; gives what was shown piece by piece and in all. */
function feed(bytes: Uint8Array, size: number, stopStrings: readonly string[] = []) {
  const stream = createTextStream(stopStrings);
  const shown: string[] = [];
  let stopped = false;
  for (let from = 0; from < bytes.length && !stopped; from += size) {
    const step = stream.push(bytes.subarray(from, from + size));
    shown.push(step.text);
    stopped = step.stopped;
  }
  const rest = stream.end();
  return { shown, rest, stopped, text: shown.join("") + rest };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

describe("characters split over tokens", () => {
  const text = "Ελλάδα, 日本語の文書, 한국어, שלום, 👩‍👩‍👧‍👦 and 🇯🇵 — naïve e\u0301.";

  it.each([1, 2, 3, 4, 5, 7, 1000])("come out whole from pieces of %i bytes", (size) => {
    const { shown, text: whole } = feed(utf8(text), size);
    expect(whole).toBe(text);
    for (const piece of shown) expect(piece).not.toContain("\uFFFD");
    // No half of a surrogate pair is ever shown alone.
    for (const piece of shown) expect(new TextDecoder().decode(utf8(piece))).toBe(piece);
  });

  it("wait for their last byte and are shown with it", () => {
    const stream = createTextStream([]);
    const [first, second, third, fourth] = utf8("🙂");
    expect([first, second, third].map((byte) => stream.push(Uint8Array.of(byte ?? 0)).text)).toEqual(["", "", ""]);
    expect(stream.push(Uint8Array.of(fourth ?? 0)).text).toBe("🙂");
    expect(stream.end()).toBe("");
  });

  it("that never become whole end as one sign for a broken character", () => {
    const { text: whole, rest } = feed(Uint8Array.of(...utf8("Paris "), 0xf0, 0x9f, 0x99), 1);
    expect(rest).toBe("\uFFFD");
    expect(whole).toBe("Paris \uFFFD");
  });

  it("do not stop the text after bytes that are no UTF-8", () => {
    expect(feed(Uint8Array.of(0xff, 0x41, 0xc3, 0x28, 0x42), 1).text).toBe("\uFFFDA\uFFFD(B");
  });

  it("pass empty tokens", () => {
    const stream = createTextStream(["END"]);
    expect(stream.push(new Uint8Array(0))).toEqual({ text: "", stopped: false });
    expect(stream.push(utf8("a")).text).toBe("a");
  });
});

describe("stop strings", () => {
  it.each([1, 2, 3, 4, 5, 6, 1000])("end the answer and are no part of it, in pieces of %i bytes", (size) => {
    const { text, stopped, shown } = feed(utf8("The answer is 42.\nQuestion: and then?"), size, ["\nQuestion:"]);
    expect(stopped).toBe(true);
    expect(text).toBe("The answer is 42.");
    expect(shown.join("")).toBe("The answer is 42.");
  });

  it("hold back only what may yet become one", () => {
    const stream = createTextStream(["STOP"]);
    expect(stream.push(utf8("go ST")).text).toBe("go ");
    expect(stream.push(utf8("ART")).text).toBe("START");
    expect(stream.push(utf8("ST")).text).toBe("");
    expect(stream.push(utf8("S")).text).toBe("ST");
    expect(stream.push(utf8("TOP it")).stopped).toBe(true);
  });

  it("give back what was held where the answer ends first", () => {
    const { text, stopped, rest } = feed(utf8("It is <|im_e"), 3, ["<|im_end|>"]);
    expect({ text, stopped, rest }).toEqual({ text: "It is <|im_e", stopped: false, rest: "<|im_e" });
  });

  it("are found where they repeat themselves", () => {
    expect(feed(utf8("aaab"), 1, ["aab"]).text).toBe("a");
    expect(feed(utf8("ababac"), 1, ["abac"]).text).toBe("ab");
  });

  it("end at the first of several", () => {
    expect(feed(utf8("one two three"), 100, ["three", "two"]).text).toBe("one ");
    expect(feed(utf8("xabcd"), 1, ["abcZ", "bc"]).text).toBe("xa");
    // The longer one begins earlier but is not complete when the shorter one is.
    expect(feed(utf8("ab"), 1, ["a", "ab"]).text).toBe("");
  });

  it("may be characters of several bytes", () => {
    expect(feed(utf8("はい。終わり。まだ"), 1, ["終わり"]).text).toBe("はい。");
    expect(feed(utf8("yes 🛑🙂 no"), 1, ["🛑"]).text).toBe("yes ");
  });

  it("at the very start give an empty answer", () => {
    expect(feed(utf8("\n\nmore"), 1, ["\n"])).toMatchObject({ text: "", stopped: true });
  });

  it("give nothing more after they were met", () => {
    const stream = createTextStream(["."]);
    expect(stream.push(utf8("One. Two"))).toEqual({ text: "One", stopped: true });
    expect(stream.push(utf8("Three"))).toEqual({ text: "", stopped: true });
    expect(stream.end()).toBe("");
  });

  it("give the same text however the bytes are cut", () => {
    const stops = ["<|im_end|>", "\n\n", "。。"];
    for (const answer of ["a\nb\n\nc", "x<|im_<|im_end|>y", "。。", "é\n", "plain", "<|<|im_end|>"]) {
      const whole = feed(utf8(answer), 1000, stops);
      for (let size = 1; size < 6; size++) {
        const cut = feed(utf8(answer), size, stops);
        expect([cut.text, cut.stopped]).toEqual([whole.text, whole.stopped]);
      }
    }
  });
});
