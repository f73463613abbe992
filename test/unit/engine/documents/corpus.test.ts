import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCsv } from "../../../../bench/app/manifest.ts";
import type { DocumentOutline } from "../../../../electron/contract/document.ts";
import { dataFolder } from "./data.ts";
import { documentBench } from "./support.ts";

const folder = dataFolder();
const bench = documentBench();

/** Files that a reader of the manifest opens and we do not, with the reason. */
const refused: Readonly<Record<string, string>> = {
  "small/pdfjs__bug1250079.pdf": "PDFium finds no trailer: the file ends inside it; pdf.js guesses",
  "small/pdfjs__bug1980958.pdf": "PDFium finds no trailer: its only one is object 2147483647",
  "small/pdfjs__poppler-742-0-fuzzed.pdf": "no trailer and a broken page tree; pdf.js opens it without any page",
  "small/pdfjs__issue19484_1.pdf": "a key shorter than its encryption allows: PDFium finds no page",
  "small/pdfjs__bug1782186.pdf": "PDFium does not take the right password (revision 6, metadata not encrypted)",
  "small/pdfjs__Brotli-Prototype-FileA.pdf": "BrotliDecode, a filter PDFium does not have",
  "small/pikepdf__378014596.pdf": "fuzzed: MuPDF opens it without any text",
  "small/derived__truncated_last_200_bytes.pdf": "trailer and catalogue are cut off; MuPDF alone repairs it",
};

/** Files whose characters differ by more than a tenth from both readers', with the reason. */
const different: Readonly<Record<string, string>> = {
  "small/pdfjs__SimFang-variant.pdf": "a dozen characters: one space more or less counts",
  "small/pdfjs__XiaoBiaoSong.pdf": "GBK bytes in a font that is not embedded; the readers differ by a factor of 2.5 themselves",
  "small/pdfminer__issue-1113-evil-xobjects.pdf": "forms that draw each other: PDFium goes round longer",
  "small/pdfjs__complex_ttf_font.pdf": "no way back to letters: every reader gives other garbage",
  "small/pdfbox__PDFBOX-3127-RAU4G6QMOVRYBISJU7R6MOVZCRFUO7P4-VFont.pdf":
    "a vertical font used for horizontal text; between the readers' figures",
};

type Entry = {
  readonly file: string;
  readonly password: string;
  readonly opens: boolean;
  readonly characters: readonly number[];
  readonly pages: number;
};

function readManifest(data: string): Entry[] {
  return parseCsv(readFileSync(join(data, "A_pdf", "MANIFEST.csv"), "utf8")).map((row) => ({
    file: row["file"] ?? "",
    password: row["password"] ?? "",
    opens: row["pdfjs"]?.startsWith("opens") === true || row["pdfjs_with_password"] === "opens" || row["mupdf"] === "opens",
    characters: [row["chars_first12_pdfjs"], row["mupdf_chars_first12"]].filter((count) => count !== undefined && count !== "").map(Number),
    pages: Number(row["pages"]),
  }));
}

type Outcome = {
  readonly entry: Entry;
  readonly milliseconds: number;
  readonly code: string;
  readonly characters: number;
  readonly pages: number;
  /** Pages that are drawn in another size than they turn out to have. */
  readonly resized: number;
};

async function readAll(data: string, entries: readonly Entry[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...entries].reverse();
  const take = async (): Promise<void> => {
    const reader = bench.reader();
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      const started = performance.now();
      let code = "";
      let characters = 0;
      let pages = 0;
      let outline: DocumentOutline["pages"] = [];
      let resized = 0;
      try {
        const document = await reader.open({
          path: join(data, "A_pdf", entry.file),
          password: entry.password === "" ? undefined : entry.password,
          onOutline: (found) => {
            outline = found.pages;
          },
        });
        resized = document.pages.filter(({ width, height }, index) => {
          const early = outline[index];
          return early === undefined || Math.abs(early.width - width) > 0.01 || Math.abs(early.height - height) > 0.01;
        }).length;
        // As the manifest's readers were counted: the first 12 pages, every run of white space as one character.
        const first = document.pages.slice(0, 12).map((page) => page.text);
        characters = first.join(" ").replace(/\s+/g, " ").trim().length;
        pages = document.pages.length;
      } catch (thrown) {
        code = String(Reflect.get(Object(thrown), "code"));
      }
      outcomes.push({ entry, milliseconds: performance.now() - started, code, characters, pages, resized });
    }
  };
  await Promise.all([take(), take()]);
  return outcomes;
}

/** True where a count is off both readers' by more than a tenth; two characters are nothing. */
function isOff(outcome: Outcome): boolean {
  return outcome.entry.characters.every((count) => Math.abs(outcome.characters - count) > Math.max(2, 0.1 * count));
}

describe.skipIf(folder === null)("all PDFs of the corpus (LONGSIGHT_DATA)", () => {
  it("opens what other readers open, with as many characters, in time", { timeout: 600_000 }, async () => {
    const entries = readManifest(folder ?? "");
    expect(entries.length).toBeGreaterThan(200);
    const outcomes = await readAll(folder ?? "", entries);

    const crashed = outcomes.filter(
      ({ code }) => code !== "" && !/^document-(?:damaged|empty|password-wrong|password-needed|kind)$/.test(code),
    );
    expect(crashed.map(({ entry, code }) => `${entry.file} ${code}`)).toEqual([]);

    // A book of thousands of pages takes its time on a busy machine; what must not be is a file that takes long for a few pages.
    const slow = outcomes.filter(({ milliseconds, pages }) => milliseconds > 30_000 + 20 * Math.max(0, pages - 500));
    expect(slow.map(({ entry, milliseconds }) => `${entry.file} ${Math.round(milliseconds)} ms`)).toEqual([]);

    expect(outcomes.filter(({ resized }) => resized > 0).map(({ entry, resized }) => `${entry.file} ${resized}`)).toEqual([]);

    const closed = outcomes.filter(({ entry, code }) => entry.opens && code !== "").map(({ entry }) => entry.file);
    expect(closed.sort()).toEqual(Object.keys(refused).sort());

    const opened = outcomes.filter(({ code }) => code === "");
    const miscounted = opened.filter(({ entry, pages }) => entry.pages > 0 && entry.pages !== pages);
    expect(miscounted.map(({ entry, pages }) => `${entry.file} ${pages}`)).toEqual([]);

    const compared = opened.filter(({ entry }) => entry.characters.length > 0);
    const off = compared.filter(isOff).map(({ entry }) => entry.file);
    expect(off.sort()).toEqual(Object.keys(different).sort());

    const slowest = [...outcomes].sort((one, other) => other.milliseconds - one.milliseconds)[0];
    console.log(
      `${outcomes.length} files: ${opened.length} opened, ${closed.length} refused that others open, ${compared.length - off.length} of ${compared.length} within a tenth of the characters; slowest ${slowest?.entry.file} ${Math.round(slowest?.milliseconds ?? 0)} ms`,
    );
  });
});

if (folder === null) console.log("corpus.test.ts is skipped: there is no data at LONGSIGHT_DATA or ../shared/data.");
