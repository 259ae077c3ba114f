// The tree of the database's objects.

import { button, element } from "/console/elements.js";
import { ask } from "/console/session.js";
import { quoted } from "/console/words.js";

const QUERY = `
SELECT o.id, s.name, o.name, o.type, c.name, c.type
FROM mz_catalog.mz_objects o JOIN mz_catalog.mz_schemas s ON s.id = o.schema_id
JOIN mz_catalog.mz_databases b ON b.id = s.database_id AND b.name = current_database()
LEFT JOIN mz_catalog.mz_columns c ON c.id = o.id
WHERE o.id LIKE 'u%' ORDER BY 2, 3, c.position`;
const READ = new Set(["table", "view", "materialized-view", "source"]);

export class Objects {
  // `use(text, object, name)` puts a statement that reads an object into the editor, and runs it; `tell(object)` tells all of it.
  constructor(tree, search, use, tell) {
    Object.assign(this, { tree, search, use, tell });
    this.objects = [];
    search.addEventListener("input", () => this.draw());
  }

  async refresh(pass) {
    const [rows] = await ask(pass, QUERY);
    const found = new Map();
    for (const [id, schema, name, type, column, columnType] of rows) {
      if (!found.has(id)) found.set(id, { id, schema, name, type, columns: [] });
      if (column !== null) found.get(id).columns.push({ name: column, type: columnType });
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
        nodes.push(element("h2", "", schema));
      }
      nodes.push(this.node(object));
    }
    const told = fit.length > 500 ? `${fit.length - 500} more: tell more of the name` : fit.length ? "" : "Nothing yet";
    if (told) nodes.push(element("p", "", told));
    this.tree.replaceChildren(...nodes);
  }

  node(object) {
    const { schema, name, type, columns } = object;
    const named = (tag, what, kind) => element(tag, "", null, what, " ", element("small", "", kind));
    const list = element("ul", "", null, ...columns.map((column) => named("li", column.name, column.type)));
    const node = element("details", "", null, named("summary", name, type), list);
    if (READ.has(type)) {
      const full = `${quoted(schema)}.${quoted(name)}`;
      node.append(
        button("Rows", () => this.use(`SELECT * FROM ${full} LIMIT 1000`, object, full)),
        button("Live", () => this.use(`SUBSCRIBE ${full}`)),
      );
    }
    node.append(button("Details", () => this.tell(object)));
    return node;
  }
}
