import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Desk } from "./support/desk.ts";
import { facts, writeTextPdf } from "./support/documents.ts";
import { expect, test } from "./support/longsight.ts";
import { writeSettings } from "./support/settings.ts";

test.setTimeout(300_000);

test("a conversation is saved in each format, with the document shaded, and an answer is copied with its pages", async ({
  start,
  userData,
}) => {
  await writeSettings(userData, { maxTokens: 24 });
  const path = await writeTextPdf(userData, "li<b>st.pdf", facts(50));
  const { page, electronApp } = await start({ files: [path] });
  const desk = new Desk(page);
  await desk.waitForDocument("li<b>st.pdf");
  await desk.ask("What is stored in <i>Bergen</i>? Quote one sentence.");
  await desk.waitForAnswer();

  await electronApp.evaluate(({ app, dialog }, folder) => {
    Object.assign(dialog, {
      showSaveDialog: async (...given: { defaultPath: string }[]) => {
        // Among the person's documents, under the conversation's title.
        const proposed = given.at(-1)?.defaultPath ?? "";
        if (!proposed.startsWith(app.getPath("documents"))) throw new Error(proposed);
        return { canceled: false, filePath: `${folder}${proposed.slice(app.getPath("documents").length)}` };
      },
    });
  }, userData);
  await page.keyboard.press("Control+e");
  for (const format of ["Markdown", "JSON", "Web page (HTML)"]) {
    await page.getByRole("radio", { name: format }).check();
    if (format.startsWith("Web")) await page.getByRole("checkbox", { name: "With the documents" }).check();
    await page.getByRole("button", { name: "Save…" }).click();
    await expect(page.getByText(/^Saved as .*/)).toContainText(format === "Markdown" ? ".md" : format === "JSON" ? ".json" : ".html", {
      timeout: 60_000,
    });
  }
  await page.keyboard.press("Escape");
  const names = (await readdir(userData)).filter((name) => /\.(md|json|html)$/.test(name) && name !== "settings.json").sort();
  expect(names).toEqual(["html", "json", "md"].map((ending) => `What is stored in i Bergen i Quote one sentence.${ending}`));
  const [html = "", json = "", markdown = ""] = await Promise.all(names.map((name) => readFile(join(userData, name), "utf8")));
  expect(JSON.parse(json)).toMatchObject({ format: "longsight-conversation", turns: [{ status: "done" }] });
  expect(markdown).not.toMatch(/<[bi]>/);
  expect(html).toMatch(/<span class="[^"]*s6/);
  expect(html).not.toMatch(/<[bi]>/);

  await electronApp.evaluate(({ clipboard }) => clipboard.writeText("before"));
  await page.getByRole("button", { name: "Copy with page references" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const copied = await electronApp.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).not.toBe("before");
  expect(copied.startsWith((await desk.answerText()).slice(0, 8))).toBe(true);
});
