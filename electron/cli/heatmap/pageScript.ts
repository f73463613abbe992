/**
 * What a heatmap's page does: tells of the token under the pointer, or of the one that the arrow keys reach. Thousands of tokens have
 * no elements of their own: a place in the text is looked up in the data. Plain JavaScript, for it runs as it stands here.
 */
export const pageScript = `
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const about = document.getElementById("about");
const hint = about.textContent;
const texts = [...document.querySelectorAll(".text")];
for (const part of data.parts) part.always = new Set(part.always);
const ranks = Float64Array.from(
  data.parts.flatMap((part) => (part.page ? part.scores.filter((score, index) => !part.always.has(index)) : []))).sort();
let current = null;

function nodesOf(text) {
  if (text.nodes) return text.nodes;
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  text.nodes = [];
  let start = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    text.nodes.push({ node, start });
    start += node.length;
  }
  text.length = start;
  return text.nodes;
}
function lastAtOrBefore(length, place, startOf) {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (startOf(middle) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}
function rangeOf(text, start, end) {
  const nodes = nodesOf(text);
  const range = document.createRange();
  const from = nodes[lastAtOrBefore(nodes.length, start, (index) => nodes[index].start)];
  const to = nodes[lastAtOrBefore(nodes.length, Math.max(start, end - 1), (index) => nodes[index].start)];
  range.setStart(from.node, start - from.start);
  range.setEnd(to.node, Math.min(to.node.length, end - to.start));
  return range;
}
function placeAt(x, y) {
  if (document.caretPositionFromPoint) {
    const position = document.caretPositionFromPoint(x, y);
    return position && { node: position.offsetNode, offset: position.offset };
  }
  const range = document.caretRangeFromPoint(x, y);
  return range && { node: range.startContainer, offset: range.startOffset };
}
function clear() {
  for (const box of document.querySelectorAll(".box")) box.remove();
  current = null;
  about.textContent = hint;
}
function boxesOf(text, index) {
  const { starts, end } = data.parts[texts.indexOf(text)];
  return rangeOf(text, starts[index], index + 1 < starts.length ? starts[index + 1] : end);
}
function show(text, index) {
  if (current && current.text === text && current.index === index) return;
  clear();
  current = { text, index };
  const part = data.parts[texts.indexOf(text)];
  const range = boxesOf(text, index);
  for (const rect of range.getClientRects()) {
    const box = document.createElement("div");
    box.className = "box";
    // Styles set one by one by a script are no inline style in the eyes of the policy at the top.
    box.style.left = rect.left + scrollX - 2 + "px";
    box.style.top = rect.top + scrollY - 2 + "px";
    box.style.width = rect.width + 4 + "px";
    box.style.height = rect.height + 4 + "px";
    document.body.append(box);
  }
  const score = part.scores[index];
  const facts = ["\\u201c\\u2068" + range.toString().replace(/\\n/g, "\\u21b5") + "\\u2069\\u201d"];
  facts.push("token " + part.tokens[index]);
  if (part.always.has(index)) facts.push("always kept, so it has no rank");
  else if (data.scored && part.page) {
    let low = 0;
    let high = ranks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranks[middle] > score) high = middle;
      else low = middle + 1;
    }
    facts.push("rank " + (ranks.length - low + 1).toLocaleString() + " of " + ranks.length.toLocaleString() + " visible tokens");
  }
  if (data.scored) facts.push("score " + (score === 0 ? 0 : score < 0.001 ? score.toExponential(1) : score.toPrecision(2)));
  facts.push("kept in " + part.kept[index] + " of " + data.layerHeads + " layer-heads");
  about.textContent = facts.join(" \\u00b7 ");
}
addEventListener("pointermove", (event) => {
  const text = event.target instanceof Element ? event.target.closest(".text") : null;
  if (!text) return;
  const place = placeAt(event.clientX, event.clientY);
  const found = place && nodesOf(text).find(({ node }) => node === place.node);
  if (!found) return;
  const { starts, end } = data.parts[texts.indexOf(text)];
  if (starts.length === 0) return;
  const inside = (index) => [...boxesOf(text, index).getClientRects()].some(
    (rect) => event.clientX >= rect.left && event.clientX <= rect.right && event.clientY >= rect.top && event.clientY <= rect.bottom);
  // The caret's place is a gap: the character meant is on either side of it.
  const index = lastAtOrBefore(starts.length, Math.min(found.start + place.offset, end - 1), (at) => starts[at]);
  if (inside(index)) show(text, index);
  else if (index > 0 && inside(index - 1)) show(text, index - 1);
});
addEventListener("keydown", (event) => {
  const text = event.target instanceof Element && event.target.matches(".text") ? event.target : null;
  if (event.key === "Escape") return clear();
  if (!text || event.ctrlKey || event.altKey || event.metaKey) return;
  const count = data.parts[texts.indexOf(text)].starts.length;
  const from = current && current.text === text ? current.index : -1;
  const to = { ArrowRight: from + 1, ArrowLeft: Math.max(0, from - 1), Home: 0, End: count - 1 }[event.key];
  if (to === undefined || count === 0) return;
  event.preventDefault();
  show(text, Math.min(count - 1, to));
  const box = document.querySelector(".box");
  if (box) box.scrollIntoView({ block: "nearest" });
});
addEventListener("resize", clear);
for (const [id, name] of [["shades", "no-shades"], ["marks", "no-marks"]]) {
  const choice = document.getElementById(id);
  // Without scores there are no shades to choose.
  if (choice) choice.addEventListener("change", () => document.body.classList.toggle(name, !choice.checked));
}
`;
