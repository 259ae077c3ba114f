// The tree of the database's objects.

import { ask } from "/console/session.js";
import { quoted } from "/console/words.js";

const QUERY = `
SELECT s.name, o.name, o.type, c.name, c.type
FROM mz_catalog.mz_objects o JOIN mz_catalog.mz_schemas s ON s.id = o.schema_id
LEFT JOIN mz_catalog.mz_columns c ON c.id = o.id
WHERE o.id LIKE 'u%' ORDER BY 1, 2, c.position`;
const READ = new Set(["table", "view", "materialized-view", "source"]);

export class Objects {
  // `use(text, runs)` puts a text into the editor, and runs it.
  constructor(tree, search, use) {
    this.tree = tree;
    this.search = search;
    this.use = use;
    this.objects = [];
    search.addEventListener("input", () => this.draw());
  }

  async refresh(pass) {
    const [{ rows }] = await ask(pass, QUERY);
    const found = new Map();
    for (const [schema, name, type, column, columnType] of rows) {
      const key = JSON.stringify([schema, name, type]);
      if (!found.has(key)) found.set(key, { schema, name, type, columns: [] });
      if (column !== null) found.get(key).columns.push({ name: column, type: columnType });
    }
    this.objects = [...found.values()];
    this.draw();
  }

  get names() {
    return this.objects.flatMap(({ schema, name, type, columns }) => [
      { name, kind: type }, { name: schema, kind: "schema" }, ...columns.map((each) => ({ name: each.name, kind: each.type })),
    ]);
  }

  draw() {
    const wanted = this.search.value.toLowerCase();
    const fit = this.objects.filter(({ name, schema }) => `${schema}.${name}`.toLowerCase().includes(wanted));
    const nodes = [];
    let schema = null;
    for (const object of fit.slice(0, 500)) {
      if (object.schema !== schema) {
        schema = object.schema;
        nodes.push(Object.assign(document.createElement("h2"), { textContent: schema }));
      }
      nodes.push(this.node(object));
    }
    const told = fit.length > 500 ? `${fit.length - 500} more: tell more of the name` : fit.length ? "" : "Nothing yet";
    if (told) nodes.push(Object.assign(document.createElement("p"), { textContent: told }));
    this.tree.replaceChildren(...nodes);
  }

  node({ schema, name, type, columns }) {
    const node = document.createElement("details"), summary = document.createElement("summary");
    summary.append(name, " ", Object.assign(document.createElement("small"), { textContent: type }));
    const list = document.createElement("ul");
    for (const column of columns) {
      const item = document.createElement("li");
      item.append(column.name, " ", Object.assign(document.createElement("small"), { textContent: column.type }));
      list.append(item);
    }
    node.append(summary, list);
    if (READ.has(type)) {
      const full = `${quoted(schema)}.${quoted(name)}`;
      node.append(this.button("Rows", `SELECT * FROM ${full} LIMIT 1000`), this.button("Live", `SUBSCRIBE ${full}`));
    }
    return node;
  }

  button(text, statement) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    button.addEventListener("click", () => this.use(statement));
    return button;
  }
}
