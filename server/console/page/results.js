// The results of a request's statements, as the messages of the WebSocket tell them.

import { button, element } from "/console/elements.js";
import { Grid } from "/console/grid.js";
import { LiveRows } from "/console/live.js";
import { pictureOf } from "/console/plan.js";
import { lineOf } from "/console/words.js";

const ROWS_MAX = 100_000, STATEMENTS_SHOWN_MAX = 200, NOTICES_MAX = 200;
const PLANS = new Set(["QUERY PLAN", "Optimized Plan", "Physical Plan"]);

export class Results {
  constructor(place) {
    this.place = place;
    this.current = null;
  }

  begin(text) {
    this.text = text;
    this.place.replaceChildren();
    this.current = null;
  }

  heard(type, payload) {
    switch (type) {
      case "CommandStarting": return this.start(payload);
      case "Rows": return this.describe(payload.columns);
      case "Row": return this.row(payload);
      case "CommandComplete": return this.end(payload);
      case "Notice": return this.tell("notice", `${payload.severity.toUpperCase()}: ${payload.message}`, payload);
      case "Notification": return this.tell("notice", `${payload.channel}: ${payload.payload}`, {});
      case "Error": return this.fail(payload);
    }
  }

  start({ has_rows: hasRows, is_streaming: streams }) {
    this.current = { box: element("div", "result"), rows: [], left: 0, hasRows, streams };
    this.place.append(this.current.box);
    while (this.place.children.length > STATEMENTS_SHOWN_MAX) this.place.firstChild.remove();
  }

  describe(columns) {
    const current = this.current;
    current.count = element("p", "", "");
    if (columns.length === 1 && PLANS.has(columns[0].name)) {
      current.plan = element("pre", "", "");
      current.box.append(current.plan);
    } else if (current.streams && LiveRows.follows(columns)) {
      current.live = new LiveRows(columns);
      this.showLive(current, columns);
    } else {
      current.grid = new Grid(columns, () => current.rows);
      current.box.append(current.grid.element);
      current.grid.draw();
    }
    current.box.append(current.count);
  }

  showLive(current, columns) {
    const now = new Grid(current.live.columns, () => current.live.rows());
    const changes = new Grid([columns[0], columns[current.live.skip - 1], ...current.live.columns], () => current.live.changes);
    changes.element.hidden = true;
    const toggle = button("Show changes", () => {
      const shows = now.element.hidden;
      now.element.hidden = !shows;
      changes.element.hidden = shows;
      toggle.setAttribute("aria-pressed", String(!shows));
      (shows ? now : changes).draw();
    });
    toggle.setAttribute("aria-pressed", "false");
    current.grids = [now, changes];
    current.box.append(toggle, now.element, changes.element);
    now.draw();
  }

  row(values) {
    const current = this.current;
    if (current.plan) {
      current.plan.textContent += `${values[0]}\n`;
    } else if (current.live) {
      current.live.take(values);
      const at = new Date(Number(current.live.time));
      current.count.textContent = `${current.live.total} rows at ${isNaN(at) ? current.live.time : at.toISOString()}`;
      current.grids.forEach((grid) => grid.element.hidden || grid.draw());
    } else if (current.rows.length < ROWS_MAX) {
      current.rows.push({ values });
      current.grid.draw();
    } else {
      current.left += 1;
    }
  }

  end(tag) {
    const { box, count, left, plan } = this.current;
    if (plan) this.showPlan(plan);
    const told = left ? `${tag} (${left} more rows than are shown)` : tag;
    if (count) count.textContent = told;
    else box.append(element("p", "", told));
  }

  showPlan(plan) {
    // FORMAT JSON is for programs.
    if (/^\s*\[/.test(plan.textContent)) return;
    plan.hidden = true;
    plan.before(pictureOf(plan.textContent.split("\n")), button("Show text", () => plan.hidden = !plan.hidden));
  }

  tell(className, message, { detail, hint }) {
    const box = this.current?.box ?? this.place;
    const said = [message, detail && `DETAIL: ${detail}`, hint && `HINT: ${hint}`];
    box.append(...said.filter(Boolean).map((text) => element("p", className, text)));
    const notices = box.querySelectorAll(":scope > .notice");
    for (let at = 0; at < notices.length - NOTICES_MAX; at++) notices[at].remove();
  }

  fail(error) {
    if (!this.current) this.start({ has_rows: false, is_streaming: false });
    this.tell("error", `ERROR ${error.code}: ${error.message}`, error);
    const position = Number(error.position);
    if (position > 0 && this.text) {
      const { line, number, column } = lineOf(this.text, position);
      const lead = `LINE ${number}: `;
      this.current.box.append(element("pre", "", `${lead}${line}\n${" ".repeat(lead.length + column)}^`));
    }
  }
}
