// Text for the benches of the window: made, so that everybody has it, and without long repetitions, so that its tokens are those of prose.

const things = ["pump", "valve", "gauge", "filter", "heater", "sensor", "motor", "relay", "boiler", "hoist", "fan"];
const places = ["on the upper deck", "beside the main tank", "in the north cabinet", "under the control desk", "behind the cold store"];
const reasons = ["frost is expected", "the reading drifts", "the seal was renewed", "a new crew takes over", "the supply was cut"];

/** The sentence of a number, of some 35 tokens: a different one for each. */
function sentence(number: number): string {
  const thing = things[number % things.length] ?? "";
  const place = places[(number * 3) % places.length] ?? "";
  const reason = reasons[(number * 7) % reasons.length] ?? "";
  return `The ${thing} ${place} is checked every ${3 + ((number * 7) % 26)} days, and sooner where ${reason}; above ${40 + ((number * 13) % 57)} units its supply is closed, and the value goes into log ${number + 1}.`;
}

/** @param first number of the first sentence */
export function proseOf(first: number, sentences: number): string {
  return Array.from({ length: sentences }, (_, index) => sentence(first + index)).join(" ");
}

/** Lines of at most so many characters, broken between words. */
export function brokenLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}
