// What a person does with the window, while it is measured.

const pause = (page, ms) => page.waitForTimeout(ms);

async function middleOf(locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("What is to be scrolled is not to be seen.");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
}

/** Turns the wheel over a part of the window: down, and some of the way up again. */
async function scroll(page, locator, { steps, pixels }) {
  const { x, y } = await middleOf(locator);
  await page.mouse.move(x, y);
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, step < 0.75 * steps ? pixels : -pixels);
    await pause(page, 16);
  }
  await pause(page, 500);
}

/** Drags the budget from its least to everything and back to where it was, and lets it go. */
async function slide(page) {
  const thumb = page.getByRole("slider", { name: "Budget" });
  const start = await middleOf(thumb);
  const track = await page.locator(".budget-slider").boundingBox();
  if (track === null) throw new Error("There is no budget to slide.");
  const steps = 90;
  const at = (share) => track.x + 2 + (track.width - 4) * share;
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  for (let step = 0; step <= steps; step += 1) {
    const share = step / steps;
    await page.mouse.move(at(share < 0.5 ? 2 * share : 2 - 2 * share), start.y);
    await pause(page, 25);
  }
  await page.mouse.move(start.x, start.y);
  await page.mouse.up();
  // What is shown of the budget that was let go of is fetched anew.
  await pause(page, 2000);
}

const typed =
  "How often is the pump on the upper deck checked, and what is to be done when its reading rises above the limit in the table on page 12? Please name the page of each.";

async function type(page) {
  const field = page.getByRole("textbox", { name: "Question" });
  await field.click();
  await page.keyboard.type(typed, { delay: 25 });
  await pause(page, 600);
  // The text goes again, so that each round begins as the first one did.
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Backspace");
  await pause(page, 600);
}

async function chooseHeat(page, name) {
  await page.getByRole("button", { name: /^Heat: / }).press("Enter");
  await page.getByRole("menuitemradio", { name }).press("Enter");
  await page.keyboard.press("Escape");
}

const showText = (page, shown) => page.getByRole("button", { name: shown ? "Text" : "Pages", exact: true }).click();
const showTab = (page, name) => page.getByRole("tab", { name }).click();
const pages = (page) => page.locator(".page-scroller");

/** In their order; `before` is not measured. */
export const actions = [
  { name: "scroll the pages", run: (page) => scroll(page, pages(page), { steps: 150, pixels: 240 }) },
  { name: "scroll the conversation", run: (page) => scroll(page, page.locator(".turns"), { steps: 150, pixels: -240 }) },
  { name: "type a question", run: type },
  { name: "slide, importance on the pages", run: slide },
  { name: "slide, kept / evicted on the pages", before: (page) => chooseHeat(page, "kept / evicted"), run: slide },
  { name: "slide, inspector beside", before: (page) => showTab(page, "Inspector"), run: slide },
  {
    name: "scroll the text",
    before: async (page) => {
      await showTab(page, "Conversation");
      await chooseHeat(page, "importance");
      await showText(page, true);
    },
    run: (page) => scroll(page, pages(page), { steps: 150, pixels: 240 }),
  },
  { name: "slide, importance on the text", run: slide },
  { name: "slide, kept / evicted on the text", before: (page) => chooseHeat(page, "kept / evicted"), run: slide },
];
