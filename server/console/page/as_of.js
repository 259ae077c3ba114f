// The times at which an object can be read, as a slider: where it is let go, the object's rows of that time are read.

import { literal } from "/console/words.js";

const FRONTIERS = (id) => `
WITH own AS (SELECT read_frontier, write_frontier FROM mz_internal.mz_frontiers WHERE object_id = ${literal(id)}),
  beneath AS (SELECT f.read_frontier, f.write_frontier FROM mz_internal.mz_frontiers f
    JOIN mz_internal.mz_object_transitive_dependencies d ON d.referenced_object_id = f.object_id WHERE d.object_id = ${literal(id)}),
  all_of AS (SELECT * FROM own UNION ALL SELECT * FROM beneath WHERE NOT EXISTS (SELECT FROM own))
SELECT max(read_frontier), min(write_frontier) FROM all_of`;

export class AsOf {
  // `ask(query)` gives rows; `use(text)` puts a statement into the editor, and runs it.
  constructor(place, ask, use) {
    Object.assign(this, { place, ask, use, asked: 0 });
    this.range = place.querySelector("input");
    this.time = place.querySelector("output");
    this.range.addEventListener("input", () => this.tell());
    this.range.addEventListener("change", () => use(`SELECT * FROM ${this.name} LIMIT 1000 AS OF ${this.range.value}`));
  }

  async show(id, name) {
    this.hide();
    const asked = this.asked;
    const [[since, upper]] = await this.ask(FRONTIERS(id)).catch(() => [[null, null]]);
    // Others' rows may be shown by now.
    if (asked !== this.asked) return;
    if (since === null || upper === null || Number(upper) <= Number(since)) return;
    this.name = name;
    // The bounds first: a value beyond them would be cut to the former ones.
    Object.assign(this.range, { min: since, max: String(Number(upper) - 1) });
    this.range.value = this.range.max;
    this.tell();
    this.place.hidden = false;
  }

  tell() {
    this.time.textContent = new Date(Number(this.range.value)).toISOString();
  }

  hide() {
    this.asked += 1;
    this.place.hidden = true;
  }
}
