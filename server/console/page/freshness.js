// How late each maintained object is, the latest first, why, and by which way of inputs.

import { button, element, listing, sparkline } from "/console/elements.js";
import { Maintained } from "/console/maintained.js";
import { criticalPath, reasonOf, span } from "/console/measures.js";

const HISTORY = `
SELECT object_id, extract(epoch FROM occurred_at) * 1000, extract(epoch FROM lag) * 1000
FROM mz_internal.mz_wallclock_global_lag_history ORDER BY occurred_at`;
const SAMPLES_MAX = 200, KEEPS_ROWS = new Set(["materialized-view", "index", "sink", "source", "table"]);

export class Freshness {
  static queries = [Maintained.QUERY];

  constructor(place, ask) {
    this.place = place;
    this.samples = new Map();
    this.open = null;
    this.ask = ask;
    this.asked = false;
  }

  // Puts what was before the page was opened in front of what the page has seen.
  remember(rows) {
    const before = new Map();
    for (const [id, at, lag] of rows) {
      if (!before.has(id)) before.set(id, []);
      before.get(id).push([Number(at), Number(lag ?? 0)]);
    }
    for (const [id, past] of before) {
      const seen = this.samples.get(id) ?? [], first = seen.length ? seen[0][0] : Infinity;
      this.samples.set(id, [...past.filter(([at]) => at < first), ...seen].slice(-SAMPLES_MAX));
    }
    if (this.late) this.show();
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
    if (this.asked) return;
    this.asked = true;
    this.ask(HISTORY).then((rows) => this.remember(rows), () => null);
  }

  show() {
    const { all, late } = this;
    this.place.replaceChildren(
      late.length ? listing(
        [
          { name: "object", of: (object) => button(object.name, () => this.choose(object.id)) },
          { name: "type", of: (object) => object.type },
          { name: "behind", number: true, of: (object) => span(object.lag) },
          { name: "over time", of: (object) => past(this.samples.get(object.id)) },
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

// How far behind an object was, as long as it is known.
function past(samples) {
  const most = Math.max(...samples.map(([, lag]) => lag));
  return sparkline(samples, `at most ${span(most)} in the last ${span(samples.at(-1)[0] - samples[0][0])}`);
}
