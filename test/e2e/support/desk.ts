import { expect, type Locator, type Page } from "@playwright/test";

/** Reading a prompt and writing an answer on a busy machine, in milliseconds. */
const answerLimit = 80_000;

/** The window as a person meets it: by role and name. */
export class Desk {
  readonly page: Page;
  readonly question: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly meter: Locator;
  readonly banner: Locator;
  readonly notices: Locator;
  readonly answers: Locator;
  readonly canvases: Locator;
  readonly password: Locator;

  constructor(page: Page) {
    this.page = page;
    this.question = page.getByRole("textbox", { name: "Question" });
    this.send = page.getByRole("button", { name: "Send" });
    this.stop = page.getByRole("button", { name: "Stop" });
    this.meter = page.getByTestId("token-meter");
    this.banner = page.getByTestId("engine-banner");
    this.notices = page.getByTestId("document-notice");
    this.answers = page.getByTestId("answer");
    this.canvases = page.getByTestId("page-canvas");
    this.password = page.getByTestId("password-input");
  }

  get lastAnswer(): Locator {
    return this.answers.last();
  }

  /** A document of this conversation, by its name. */
  document(name: string): Locator {
    return this.page.getByRole("list", { name: "Documents in this conversation" }).getByRole("button", { name, exact: true });
  }

  /** Waits until a document is open and its tokens are counted with the loaded model. */
  async waitForDocument(name: string): Promise<void> {
    await expect(this.document(name)).toBeVisible({ timeout: 30_000 });
    await expect(this.meter).toHaveAttribute("data-fits", "true", { timeout: 60_000 });
    await expect(this.meter).toContainText(/[1-9][\d,]* document/, { timeout: 30_000 });
  }

  async ask(question: string): Promise<void> {
    await this.question.fill(question);
    await this.send.click({ timeout: 60_000 });
  }

  /** Waits for the end of the answer being written. @returns its text */
  async waitForAnswer(): Promise<string> {
    await expect(this.lastAnswer).toHaveAttribute("data-status", "done", { timeout: answerLimit });
    return this.answerText();
  }

  /** What stands in the last answer so far, without its figures. */
  async answerText(): Promise<string> {
    return (await this.lastAnswer.locator(".markdown").allInnerTexts()).join("\n").trim();
  }

  /** All figures of the last answer, those behind its line included, with usual spaces. */
  async figures(): Promise<string> {
    return (await this.lastAnswer.locator(".figure-words").allTextContents()).join(" · ").replaceAll("\u00a0", " ");
  }

  /** Waits until some of the answer is written. */
  async waitForWords(): Promise<void> {
    await expect.poll(() => this.answerText(), { timeout: answerLimit, intervals: [50] }).not.toBe("");
  }

  /** Waits until the prompt is being read. */
  async waitForPrefill(): Promise<void> {
    await expect(this.page.getByTestId("progress")).toContainText("Reading the document", { timeout: answerLimit });
  }
}
