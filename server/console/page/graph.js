// What flows into what around one object: sources and tables at the left, sinks at the right. Only what is near is drawn.

import { button, drawn, element, listing } from "/console/elements.js";
import { layers, near } from "/console/layers.js";
import { Maintained } from "/console/maintained.js";
import { bytes, rate, reasonOf, span } from "/console/measures.js";
import { literal } from "/console/words.js";

const DEPENDENCIES = "SELECT object_id, referenced_object_id FROM mz_catalog.mz_object_dependencies ORDER BY 1, 2";
const ARRANGEMENTS = (id) => `
SELECT arrangement, operator, key, records, size, file_size FROM mz_internal.mz_arrangement_sizes
WHERE object_id = ${literal(id)} ORDER BY size DESC`;
const HOPS = 3, NODES_MAX = 60, NODE = { width: 190, height: 44 }, STEP = { x: 280, y: 64 }, NAME_MAX = 22;
const LATE_MS = 10_000, SLOW_MS = 1000;

export class Graph {
  static queries = [Maintained.QUERY, DEPENDENCIES];

  // `ask(query)` gives the rows of one query.
  constructor(place, ask) {
    this.ask = ask;
    this.centre = this.open = this.wanted = null;
    this.counts = new Map();
    this.search = Object.assign(element("input"), { type: "search", placeholder: "Around which object?" });
    this.search.setAttribute("aria-label", "Around which object?");
    this.names = element("datalist");
    this.names.id = "graph-names";
    this.search.setAttribute("list", "graph-names");
    this.search.addEventListener("change", () => {
      this.wanted = this.search.value;
      if (this.all) this.find();
    });
    this.picture = element("div", "picture");
    this.details = element("div", "details");
    place.replaceChildren(element("div", "tools", null, this.search, this.names), this.picture, this.details);
  }

  draw([rows, edges]) {
    const now = Date.now(), before = this.all;
    this.all = new Maintained(rows);
    this.edges = edges;
    this.rates = new Map(this.all.objects.map(({ id, written }) => [id, rate(this.counts.get(id), [now, written])]));
    this.counts = new Map(this.all.objects.map(({ id, written }) => [id, [now, written]]));
    if (!before || before.objects.length !== this.all.objects.length) {
      this.names.replaceChildren(...this.all.objects.map(({ name }) => new Option(name)));
    }
    if (!this.all.find(this.centre)) this.centre = this.first();
    if (this.wanted === null) this.show();
    else this.find();
  }

  // Goes to the object that is searched for, as soon as there is one of that name.
  find() {
    const found = this.all.objects.find(({ name }) => name === this.wanted);
    if (found) this.wanted = null;
    this.around(found?.id ?? this.centre);
  }

  // The object that is latest, or else the one that most others depend on.
  first() {
    const late = this.all.objects.filter(({ lag }) => lag > LATE_MS).sort((one, other) => other.lag - one.lag)[0];
    if (late) return late.id;
    const uses = new Map();
    for (const [, input] of this.edges) if (this.all.find(input)) uses.set(input, (uses.get(input) ?? 0) + 1);
    return [...uses].sort((one, other) => other[1] - one[1])[0]?.[0] ?? this.all.objects[0]?.id ?? null;
  }

  around(id) {
    this.centre = id;
    this.show();
  }

  show() {
    if (this.centre === null) return this.picture.replaceChildren(element("p", "", "Nothing yet: CREATE TABLE, SOURCE or VIEW begins it."));
    const known = this.edges.filter(([reader, input]) => this.all.find(reader) && this.all.find(input));
    const ids = near(known, this.centre, HOPS, NODES_MAX), places = layers(ids, known);
    const columns = Math.max(...[...places.values()].map(({ column }) => column)) + 1;
    const rows = Math.max(...[...places.values()].map(({ row }) => row)) + 1;
    const picture = drawn("svg", { width: columns * STEP.x, height: rows * STEP.y, role: "group", "aria-label": "What flows into what" });
    for (const [reader, input] of known) {
      if (places.has(reader) && places.has(input)) picture.append(...this.edge(places.get(input), places.get(reader), input));
    }
    for (const [id, at] of places) picture.append(this.node(this.all.find(id), at));
    const focused = document.activeElement?.dataset?.id;
    this.picture.replaceChildren(picture);
    if (focused) [...picture.querySelectorAll(".node")].find(({ dataset }) => dataset.id === focused)?.focus();
    if (ids.size >= NODES_MAX) this.picture.append(element("p", "", `The ${NODES_MAX} nearest are drawn`));
  }

  edge(from, to, input) {
    const x1 = from.column * STEP.x + NODE.width, y1 = from.row * STEP.y + NODE.height / 2;
    const x2 = to.column * STEP.x, y2 = to.row * STEP.y + NODE.height / 2, middle = (x1 + x2) / 2;
    const path = drawn("path", { d: `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`, class: "edge" });
    const rows = this.rates.get(input);
    if (!rows) return [path];
    const told = drawn("text", { x: x1 + 6, y: y1 - 6, class: "rate" });
    told.textContent = `${rows >= 10 ? Math.round(rows) : rows.toFixed(1)} rows/s`;
    return [path, told];
  }

  node(object, { column, row }) {
    const { id, name, type, lag } = object;
    const state = object.error || (object.status && object.status !== "running") ? "bad" : lag > LATE_MS ? "late" : lag > SLOW_MS ? "slow" : "";
    const node = drawn("g", {
      class: `node ${state} ${id === this.centre ? "centre" : ""}`, tabindex: 0, role: "button",
      transform: `translate(${column * STEP.x} ${row * STEP.y})`, "aria-label": `${name}, ${type}, ${span(lag) || "no lag"} behind`,
    });
    const label = (y, className, text) => {
      const made = drawn("text", { x: 8, y, class: className });
      made.textContent = text;
      return made;
    };
    node.dataset.id = id;
    node.append(
      drawn("rect", { width: NODE.width, height: NODE.height, rx: 6 }),
      label(18, "name", name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name),
      label(35, "kind", lag === null ? type : `${type}, ${span(lag)} behind`),
    );
    node.addEventListener("click", () => this.choose(id));
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.choose(id);
    });
    return node;
  }

  async choose(id) {
    this.open = id;
    const object = this.all.find(id), reason = reasonOf(object, this.all.find);
    const facts = [
      ["behind", span(object.lag)], ["why", reason], ["state", object.status ?? object.state],
      ["last tick", span(object.last)], ["half of the ticks within", span(object.p50)], ["99 of 100 within", span(object.p99)],
      ["rows read", object.read], ["rows written", object.written],
    ].filter(([, value]) => value !== null && value !== undefined && value !== "");
    const told = facts.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]);
    this.details.replaceChildren(
      element("h2", "", `${object.schema}.${object.bare}`),
      button("Draw what is around it", () => this.around(id)),
      element("dl", "", null, ...told),
    );
    const { rows, error } = await this.ask(ARRANGEMENTS(id)).then((rows) => ({ rows }), (error) => ({ error }));
    if (this.open !== id) return;
    if (error) this.details.append(element("p", "error", error.message));
    if (rows?.length) this.details.append(listing(
      [
        { name: "arrangement", of: (row) => row[0] }, { name: "operator", of: (row) => row[1] }, { name: "key", of: (row) => row[2] },
        { name: "records", number: true, of: (row) => row[3] }, { name: "size", number: true, of: (row) => bytes(row[4]) },
        { name: "in files", number: true, of: (row) => bytes(row[5]) },
      ],
      rows,
    ));
  }
}
