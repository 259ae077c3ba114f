// How late each maintained object is, the latest first, why, and by which way of inputs.

import { button, drawn, element, listing } from "/console/elements.js";
import { Maintained } from "/console/maintained.js";
import { criticalPath, line, reasonOf, span } from "/console/measures.js";

const SAMPLES_MAX = 200, WIDTH = 120, HEIGHT = 20, KEEPS_ROWS = new Set(["materialized-view", "index", "sink", "source", "table"]);

export class Freshness {
  static queries = [Maintained.QUERY];

  constructor(place) {
    this.place = place;
    this.samples = new Map();
    this.open = null;
  }

  draw([rows]) {
    const all = this.all = new Maintained(rows), now = Date.now();
    const late = all.objects.filter(({ type, lag, error }) => KEEPS_ROWS.has(type) && (lag !== null || error));
    late.sort((one, other) => (other.lag ?? Infinity) - (one.lag ?? Infinity) || one.name.localeCompare(other.name));
    for (const { id, lag } of late) {
      const samples = this.samples.get(id) ?? [];
      samples.push([now, lag ?? 0]);
      this.samples.set(id, samples.slice(-SAMPLES_MAX));
    }
    for (const id of this.samples.keys()) if (!all.find(id)) this.samples.delete(id);
    this.late = late;
    this.show();
  }

  show() {
    const { all, late } = this;
    this.place.replaceChildren(
      late.length ? listing(
        [
          { name: "object", of: (object) => button(object.name, () => this.choose(object.id)) },
          { name: "type", of: (object) => object.type },
          { name: "behind", number: true, of: (object) => span(object.lag) },
          { name: "over time", of: (object) => sparkline(this.samples.get(object.id)) },
          { name: "why", of: (object) => reasonOf(object, all.find) },
        ],
        late,
      ) : element("p", "", "Nothing is maintained yet: CREATE MATERIALIZED VIEW or CREATE INDEX begins it."),
      ...this.path(),
    );
  }

  choose(id) {
    this.open = this.open === id ? null : id;
    this.show();
  }

  path() {
    const object = this.all.find(this.open);
    if (!object) return [];
    const steps = criticalPath(object, this.all.find).map((each) =>
      element("li", "", `${each.name} (${each.type}), ${span(each.lag) || "as fresh as what it reads"} behind`));
    return [element("h2", "", `What ${object.name} waits for`), element("ol", "", null, ...steps)];
  }
}

function sparkline(samples) {
  const picture = drawn("svg", { width: WIDTH, height: HEIGHT + 2, role: "img" });
  const most = Math.max(...samples.map(([, lag]) => lag));
  picture.append(drawn("title", {}), drawn("polyline", { points: line(samples, WIDTH, HEIGHT), class: "line" }));
  picture.firstChild.textContent = `at most ${span(most)} since the page was opened`;
  return picture;
}
