// All that is known of one object: its definition, columns, comments, what it needs and who needs it, privileges, size.

import { button, element, listing } from "/console/elements.js";
import { bytes } from "/console/measures.js";
import { literal, quoted } from "/console/words.js";

const KINDS = new Map([
  ["table", "TABLE"], ["view", "VIEW"], ["materialized-view", "MATERIALIZED VIEW"], ["index", "INDEX"], ["source", "SOURCE"],
  ["sink", "SINK"], ["connection", "CONNECTION"], ["type", "TYPE"],
]);

function queries({ id, schema, name }) {
  const its = literal(id);
  return [
    `SELECT c.position, c.name, c.type, c.nullable, c.default, t.comment FROM mz_catalog.mz_columns c
     LEFT JOIN mz_internal.mz_comments t ON t.id = c.id AND t.object_sub_id = c.position WHERE c.id = ${its} ORDER BY 1`,
    `SELECT comment FROM mz_internal.mz_comments WHERE id = ${its} AND object_sub_id IS NULL`,
    `SELECT d.object_id = ${its}, o.id, s.name, o.name, o.type FROM mz_catalog.mz_object_dependencies d
     JOIN mz_catalog.mz_objects o ON o.id = CASE WHEN d.object_id = ${its} THEN d.referenced_object_id ELSE d.object_id END
     JOIN mz_catalog.mz_schemas s ON s.id = o.schema_id WHERE ${its} IN (d.object_id, d.referenced_object_id) ORDER BY 1, 3, 4`,
    `SELECT grantee, privilege_type, grantor, is_grantable FROM information_schema.table_privileges
     WHERE table_schema = ${literal(schema)} AND table_name = ${literal(name)} ORDER BY 1, 2`,
    `SELECT sum(records), sum(size), sum(file_size) FROM mz_internal.mz_arrangement_sizes WHERE object_id = ${its}`,
    `SELECT r.name, o.oid FROM mz_catalog.mz_objects o JOIN mz_catalog.mz_roles r ON r.id = o.owner_id WHERE o.id = ${its}`,
  ];
}

export class ObjectPage {
  static queries = [];

  constructor(place, ask) {
    Object.assign(this, { place, ask, object: null });
    this.draw();
  }

  draw() {
    if (!this.object) this.place.replaceChildren(element("p", "", "Choose Details of an object at the left."));
  }

  async show(object) {
    this.object = object;
    const { schema, name, type } = object;
    const kind = KINDS.get(type), definition = element("pre", "", kind ? "…" : "");
    this.place.replaceChildren(element("h2", "", `${schema}.${name}`));
    try {
      const answers = await this.ask(...queries(object));
      if (this.object !== object) return;
      if (!answers.at(-1).length) throw new Error("it is not there any more");
      this.place.append(...this.parts(object, answers), definition);
      if (kind) definition.textContent = (await this.ask(`SHOW CREATE ${kind} ${quoted(schema)}.${quoted(name)}`))[0][1];
    } catch (error) {
      if (this.object === object) this.place.append(element("p", "error", error.message));
    }
  }

  parts({ type }, [columns, comments, others, privileges, [[records, size, inFiles]], [[owner]]]) {
    const told = [element("p", "", `${type}, owned by ${owner}`), ...comments.map(([comment]) => element("p", "", comment))];
    if (records !== null) told.push(element("p", "", `${records} records in its state: ${bytes(size)}, of which in files ${bytes(inFiles)}`));
    if (columns.length) told.push(element("h3", "", "Columns"), listing(
      [
        { name: "name", of: (row) => row[1] }, { name: "type", of: (row) => row[2] },
        { name: "", of: (row) => (row[3] === true ? "" : "NOT NULL") }, { name: "default", of: (row) => row[4] },
        { name: "comment", of: (row) => row[5] },
      ],
      columns,
    ));
    told.push(...this.links("Needs", others.filter(([needs]) => needs === true)));
    told.push(...this.links("Needed by", others.filter(([needs]) => needs !== true)));
    if (privileges.length) told.push(element("h3", "", "Privileges"), listing(
      [
        { name: "of", of: (row) => row[0] }, { name: "privilege", of: (row) => row[1] }, { name: "granted by", of: (row) => row[2] },
        { name: "may grant it", of: (row) => row[3] },
      ],
      privileges,
    ));
    return [...told, element("h3", "", "Definition")];
  }

  links(title, others) {
    if (!others.length) return [];
    const items = others.map(([, id, schema, name, type]) =>
      element("li", "", null, button(`${schema}.${name}`, () => this.show({ id, schema, name, type })), ` ${type}`));
    return [element("h3", "", title), element("ul", "", null, ...items)];
  }
}
