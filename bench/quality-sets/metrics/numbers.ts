/**
 * LongBench's count and retrieval: the share of the numbers in an answer that equal the right one, 0 … 1; 0 without numbers. For retrieval
 * that is the number in a name such as “Paragraph 7” or “段落7”.
 * @param right a text with a number in it
 */
export function numberShare(answer: string, right: string): number {
  const [wanted] = right.match(/\d+/) ?? [];
  const numbers = answer.match(/\d+/g) ?? [];
  return numbers.length === 0 ? 0 : numbers.filter((number) => number === wanted).length / numbers.length;
}

/** 1 where the last number of a worked answer is the right one, as GSM8K's answers are read: “$1,200.00” is 1200. */
export function lastNumberIs(answer: string, right: string): number {
  const last = answer.match(/-?\d[\d,]*(?:\.\d+)?/g)?.at(-1);
  return last !== undefined && Number(last.replace(/,/g, "")) === Number(right.replace(/,/g, "")) ? 1 : 0;
}
