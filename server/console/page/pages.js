// The pages beside the statements, of which at most one is in sight and asks.

import { Activity } from "/console/activity.js";
import { element } from "/console/elements.js";
import { Flows } from "/console/flows.js";
import { Freshness } from "/console/freshness.js";
import { Graph } from "/console/graph.js";
import { ObjectPage } from "/console/object.js";
import { System } from "/console/system.js";
import { Watch } from "/console/watch.js";

const PAGES = { object: ObjectPage, freshness: Freshness, graph: Graph, flows: Flows, activity: Activity, system: System };

export class Pages {
  // `ask(...queries)` gives the rows of each; `statements` is the element of the statements' page.
  constructor(tabs, statements, place, ask, tell) {
    Object.assign(this, { tabs, statements, place, ask, tell, pages: new Map(), now: null, open: false });
    window.addEventListener("hashchange", () => this.follow());
  }

  // Begins to ask, once a user is signed in; fulfilled when the page in sight has its first answers.
  begin() {
    this.open = true;
    return this.follow();
  }

  end() {
    this.open = false;
    this.now?.watch?.stop();
  }

  follow() {
    const name = location.hash.slice(1), known = Object.hasOwn(PAGES, name);
    for (const link of this.tabs.querySelectorAll("a")) {
      if (link.hash === `#${known ? name : "statements"}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    this.now?.watch?.stop();
    if (this.now) this.now.place.hidden = true;
    this.tell("");
    this.statements.hidden = known;
    this.now = known && this.open ? this.page(name) : null;
    if (!this.now) return null;
    this.now.place.hidden = false;
    return this.now.watch?.start();
  }

  page(name) {
    if (!this.pages.has(name)) {
      const Page = PAGES[name], place = element("section", "page");
      place.setAttribute("aria-label", name);
      this.place.append(place);
      const shown = new Page(place, async (...queries) => {
        const answers = await this.ask(...queries);
        return queries.length === 1 ? answers[0] : answers;
      }, this.tell);
      const watch = Page.queries.length ? new Watch(() => this.ask(...Page.queries), (answers) => shown.draw(answers), this.tell) : null;
      this.pages.set(name, { place, shown, watch });
    }
    return this.pages.get(name);
  }

  // Tells all of an object.
  showObject(object) {
    location.hash = "#object";
    this.page("object").shown.show(object);
  }
}
