import { describe, expect, it } from "vitest";
import type { Glyph } from "../../../../../electron/engine/documents/layout/glyph.ts";
import { layOutText } from "../../../../../electron/engine/documents/layout/layout.ts";

/** Characters of one row as they are seen from left to right, 6 points wide and 10 high. */
function row(seen: string, left: number, top: number): Glyph[] {
  return Array.from(seen, (text, index) => ({
    text,
    left: left + 6 * index,
    right: left + 6 * index + 6,
    top,
    bottom: top + 10,
    turn: 0,
    added: false,
    hyphen: false,
  }));
}

function lineEnd(): Glyph {
  return { text: "\n", left: 0, top: 0, right: 0, bottom: 0, turn: 0, added: true, hyphen: false };
}

/** The space that PDFium adds for a wide gap. */
function gap(): Glyph {
  return { text: " ", left: 0, top: 0, right: 0, bottom: 0, turn: 0, added: true, hyphen: false };
}

function rows(texts: readonly string[], left = 50, top = 50): Glyph[] {
  return texts.flatMap((text, index) => [...row(text, left, top + 12 * index), lineEnd()]);
}

function reversed(text: string): string {
  return [...text].reverse().join("");
}

describe("right-to-left text, from places alone", () => {
  const hebrew = "שלום עולם";

  it("is read in logical order whichever order the file has it in", () => {
    const seen = row(reversed(hebrew), 50, 50);
    expect(layOutText(seen).text).toBe(hebrew);
    expect(layOutText([...seen].reverse()).text).toBe(hebrew);
  });

  it("keeps digits and Latin words as they are", () => {
    // Seen from left to right: the sentence's end first.
    expect(layOutText(row(`.25 ${reversed("מחיר")} (abc) ${reversed("קוד")}`, 50, 50)).text).toBe("קוד (abc) מחיר 25.");
    expect(layOutText(row(`1403/09/19 ${reversed("تاريخ")}`, 50, 50)).text).toBe("تاريخ 1403/09/19");
    expect(layOutText(row(`just in time ${reversed("זה המהדר החדש")}`, 50, 50)).text).toBe("זה המהדר החדש just in time");
  });

  it("turns brackets round with their words", () => {
    expect(layOutText(row(`(${reversed("יום")}) ${reversed("ערב")}`, 50, 50)).text).toBe("ערב (יום)");
  });

  it("turns only the foreign words of a left-to-right line", () => {
    expect(layOutText(row(`The word ${reversed("בית ספר")} means school.`, 50, 50)).text).toBe("The word בית ספר means school.");
  });

  it("leaves marks with their letters", () => {
    const letters = row(reversed("בר"), 50, 50);
    const mark: Glyph = { text: "\u05b8", left: 57, right: 60, top: 58, bottom: 62, turn: 0, added: false, hyphen: false };
    expect(layOutText([mark, ...letters]).text).toBe("ב\u05b8ר");
  });

  it("writes the two letters of a lam-alef ligature in their order", () => {
    const [place] = row("x", 56, 50);
    if (place === undefined) throw new Error("no glyph");
    const ligature = ["ا", "ل"].map((text) => ({ ...place, text }));
    expect(layOutText([...row("س", 62, 50), ...ligature, ...row("م", 50, 50)]).text).toBe("سلام");
  });

  it("gives each character its own place", () => {
    const { text, boxes } = layOutText(row(reversed("שלום"), 50, 50));
    expect(text).toBe("שלום");
    expect([0, 1, 2, 3].map((index) => boxes[4 * index])).toEqual([68, 62, 56, 50]);
  });
});

describe("columns drawn across the gutter", () => {
  const left = [
    "the quick brown fox jumps over",
    "the lazy dog and then it goes",
    "on running through the woods",
    "until the evening comes and",
  ];
  const right = [
    "the moon rises over the hills",
    "while all the animals of the",
    "forest go to sleep in their",
    "dens and wait for the dawn.",
  ];

  const across = (first: readonly string[], second: readonly string[]): Glyph[] =>
    first.flatMap((text, index) => [
      ...row(text, 50, 50 + 12 * index),
      gap(),
      ...row(second[index] ?? "", 260, 50 + 12 * index),
      lineEnd(),
    ]);

  it("are put one after the other", () => {
    expect(layOutText(across(left, right)).text).toBe([...left, ...right].join(" "));
  });

  it("are left alone below and above a full line", () => {
    const glyphs = [...rows(["A Title That Stands Over Both Columns Of The Page And More"], 50, 20), ...across(left, right)];
    expect(layOutText(glyphs).text).toBe(`A Title That Stands Over Both Columns Of The Page And More\n\n${[...left, ...right].join(" ")}`);
  });

  it("are three as well as two", () => {
    const third = [
      "when morning comes at last the",
      "birds begin to sing and every",
      "creature of the woods comes",
      "out again to see the light.",
    ];
    const glyphs = left.flatMap((text, index) => [
      ...row(text, 50, 50 + 12 * index),
      ...row(right[index] ?? "", 260, 50 + 12 * index),
      ...row(third[index] ?? "", 470, 50 + 12 * index),
      lineEnd(),
    ]);
    expect(layOutText(glyphs).text).toBe(`${[...left, ...right].join(" ")}\n\n${third.join(" ")}`);
  });

  it("are not seen in tables of words or numbers", () => {
    const names = ["Alpha Centauri system", "Barnard and its star", "Wolf number three five nine", "Lalande in the Great Bear"];
    const values = ["Four light years away", "Six light years away", "Eight light years away", "Eight light years again"];
    const table = names.map((name, index) => `${name} ${values[index] ?? ""}`).join("\n");
    expect(layOutText(across(names, values)).text).toBe(table);
    const numbers = ["1 200", "3 400", "5 600"];
    expect(layOutText(across(numbers, numbers)).text).toBe(numbers.map((number) => `${number} ${number}`).join("\n"));
  });
});

describe("lines", () => {
  it("joins Chinese without spaces and English with one", () => {
    expect(layOutText(rows(["这是一个很长的中文段落它在行末断", "开然后继续写下去直到结束为止。"])).text).toBe(
      "这是一个很长的中文段落它在行末断开然后继续写下去直到结束为止。",
    );
    expect(layOutText(rows(["one line of English that ends", "and goes on"])).text).toBe("one line of English that ends and goes on");
  });

  it("reads vertical writing from right to left", () => {
    const column = (text: string, left: number): Glyph[] =>
      Array.from(text, (character, index) => ({
        text: character,
        left,
        right: left + 10,
        top: 50 + 10 * index,
        bottom: 60 + 10 * index,
        turn: 0,
        added: false,
        hyphen: false,
      }));
    const { text, boxes } = layOutText([...column("二行目です。", 100), ...column("一行目ですよ", 115)]);
    expect(text).toBe("一行目ですよ二行目です。");
    expect([...boxes.slice(0, 4)]).toEqual([115, 50, 125, 60]);
  });

  it("keeps the lines of code", () => {
    // Narrow and wide letters of one width.
    const code = ["if (will) {", "  Maximum = value;", "}"];
    expect(layOutText(rows(code.map((line) => line.trim()))).text).toBe("if (will) {\nMaximum = value;\n}");
  });

  it("drops soft hyphens inside a line and has four numbers for every unit", () => {
    const { text, boxes } = layOutText(rows(["co\u00adoperate 😀 now"]));
    expect(text).toBe("cooperate 😀 now");
    expect(boxes.length).toBe(4 * text.length);
  });

  it("has nothing for nothing", () => {
    expect(layOutText([])).toEqual({ text: "", boxes: new Float32Array(0) });
    expect(layOutText([lineEnd(), lineEnd()]).text).toBe("");
  });
});
