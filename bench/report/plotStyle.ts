/** How plots look, in a page and as files of their own, by day and by night. Nothing in it needs escaping in HTML. */

/** Colours that people tell apart who do not see all of them (after Okabe and Ito), dark enough on white, light enough on black. */
const colours = [
  { day: "#0060a8", night: "#6cb8ee" },
  { day: "#b04a00", night: "#f0a060" },
  { day: "#00734f", night: "#4fcfa4" },
  { day: "#9c3d7e", night: "#e59ccb" },
  { day: "#5c5c00", night: "#d8d060" },
  { day: "#555555", night: "#b8b8b8" },
  { day: "#7a3ff2", night: "#b79cff" },
  { day: "#a8001c", night: "#ff8f8f" },
];
/** Series beyond the colours begin again at the first; marks and dashes tell them apart. */
export const colourCount = colours.length;

const inks = (time: "day" | "night") => colours.map((colour, index) => `--ink${index}: ${colour[time]};`).join(" ");
const classes = colours.map((_, index) => `.plot .ink${index} { stroke: var(--ink${index}); fill: var(--ink${index}); }`).join("\n");

export const plotStyle = `
.plot { --paper: #ffffff; --text: #1b1b1b; --faint: #6f6f6f; --grid: #dddddd; ${inks("day")} font: 13px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .plot { --paper: #16181c; --text: #ececec; --faint: #a2a2a2; --grid: #3a3d44; ${inks("night")} } }
.plot .paper { fill: var(--paper); }
.plot text { fill: var(--text); stroke: none; }
.plot .grid { stroke: var(--grid); }
.plot .axis { stroke: var(--faint); }
.plot .limit { stroke: var(--text); stroke-dasharray: 3 3; }
.plot .course { fill: none; stroke-width: 1.8; }
.plot .span { stroke-width: 1.2; }
${classes}`;
