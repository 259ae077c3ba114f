// A plan as a picture: each step a box, and below it what it reads.

import { element } from "/console/elements.js";
import { treeOf } from "/console/words.js";

export function pictureOf(lines) {
  const list = (nodes) => element("ul", "plan", null, ...nodes.map(({ text, inputs }) =>
    element("li", "", null, element("span", "step", text), ...(inputs.length ? [list(inputs)] : []))));
  return list(treeOf(lines));
}
