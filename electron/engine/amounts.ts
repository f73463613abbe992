/** A number of things in words: “1 page”, “1,024 pages”. @param thing whose plural ends in s */
export function amountOf(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}
