import { readFile } from "node:fs/promises";
import { PDFDocument } from "pdf-lib";
import { describe, expect, it } from "vitest";
import { makeSample } from "../../../scripts/sample.mjs";

describe("the sample document", () => {
  it("is what its source makes", async () => {
    const committed = await readFile(new URL("../../../assets/samples/longsight-sample.pdf", import.meta.url));
    expect(Buffer.compare(committed, Buffer.from(await makeSample()))).toBe(0);
  });

  it("has four pages and says whose it is", async () => {
    const document = await PDFDocument.load(await makeSample());
    expect(document.getPageCount()).toBe(4);
    expect(document.getAuthor()).toBe("Longsight contributors");
  });
});
