// Elements of the page, made from names and texts. A text stands as it is, and is never read as HTML.

import { line } from "/console/measures.js";

const SVG = "http://www.w3.org/2000/svg";
const LINE_WIDTH = 120, LINE_HEIGHT = 20;

export function element(name, className, text, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined && text !== null) made.textContent = text;
  made.append(...children);
  return made;
}

export function button(text, act) {
  const made = Object.assign(element("button", "", text), { type: "button" });
  made.addEventListener("click", act);
  return made;
}

export function drawn(name, attributes, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A line through samples [at, value]; `title` says in words what it shows.
export function sparkline(samples, title) {
  const picture = drawn("svg", { width: LINE_WIDTH, height: LINE_HEIGHT + 2, role: "img" });
  picture.append(drawn("title", {}), drawn("polyline", { points: line(samples, LINE_WIDTH, LINE_HEIGHT), class: "line" }));
  picture.firstChild.textContent = title;
  return picture;
}

// A table of few rows. `columns` are {name, of, number?}: `of(row)` is a text, an element, or nothing.
export function listing(columns, rows, most = 500) {
  const head = element("tr", "", null, ...columns.map(({ name }) => Object.assign(element("th", "", name), { scope: "col" })));
  const lines = rows.slice(0, most).map((row) => element("tr", "", null, ...columns.map(({ of, number }) => {
    const cell = element("td", number ? "number" : ""), what = of(row);
    if (what !== null && what !== undefined) cell.append(what);
    return cell;
  })));
  const table = element("table", "", null, element("thead", "", null, head), element("tbody", "", null, ...lines));
  if (rows.length > most) table.append(element("caption", "", `${rows.length - most} more are not shown`));
  return table;
}
