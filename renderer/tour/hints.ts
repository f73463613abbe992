/** One thing of the window: its texts and the `data-tour` of its element by this name, and where the hint stands beside it. */
export type TourHint = {
  readonly name: "document" | "question" | "budget" | "heat";
  readonly side: "left" | "top" | "bottom";
};

/** The tour, in its order. */
export const hints: readonly TourHint[] = [
  { name: "document", side: "left" },
  { name: "question", side: "left" },
  { name: "budget", side: "top" },
  { name: "heat", side: "bottom" },
];
