// The server's processes, memory and repairs.

import { element, listing } from "/console/elements.js";
import { bytes, span } from "/console/measures.js";

const QUERIES = [
  "SELECT version()",
  `SELECT r.name, r.cluster, r.pid, s.status, s.reason, s.updated_at, m.memory_bytes, m.cpu_nano_cores
   FROM mz_internal.mz_cluster_replicas r LEFT JOIN mz_internal.mz_cluster_replica_statuses s ON s.replica_id = r.id
   LEFT JOIN mz_internal.mz_cluster_replica_metrics m ON m.replica_id = r.id ORDER BY 2, 1`,
  `SELECT o.name, sum(a.records), sum(a.size), sum(a.memory_size), sum(a.file_size)
   FROM mz_internal.mz_arrangement_sizes a JOIN mz_catalog.mz_objects o ON o.id = a.object_id GROUP BY o.id, o.name ORDER BY 3 DESC`,
  "SELECT replica_id, subject, since, processor_ms FROM mz_internal.mz_stuck_calls ORDER BY since",
  `SELECT o.name, r.refused_writes, r.corrected_rows, r.last_at FROM mz_internal.mz_view_repairs r
   JOIN mz_catalog.mz_objects o ON o.id = r.object_id WHERE r.refused_writes + r.corrected_rows > 0 ORDER BY r.last_at DESC`,
];
const text = (name, at) => ({ name, of: (row) => row[at] });
const number = (name, at, how = (value) => value) => ({ name, number: true, of: (row) => how(row[at]) });

export class System {
  static queries = QUERIES;

  constructor(place) {
    this.place = place;
  }

  draw([[[version]], replicas, arrangements, stuck, repairs]) {
    const columns = [text("object", 0), number("records", 1), number("size", 2, bytes), number("in memory", 3, bytes), number("in files", 4, bytes)];
    this.place.replaceChildren(
      element("p", "", version),
      ...part("Replicas", [text("name", 0), text("cluster", 1), number("pid", 2), text("state", 3), text("reason", 4), text("since", 5), number("memory", 6, bytes), number("processors", 7, processors)], replicas),
      ...part("State of indexes and materialized views", columns, arrangements),
      ...part("What planning does not come to an end with", [text("replica", 0), text("subject", 1), text("since", 2), number("processor time", 3, span)], stuck),
      ...part("Views that were found to be wrong and built anew", [text("view", 0), number("refused writes", 1), number("rows corrected", 2), text("last", 3)], repairs),
    );
  }
}

// Billionths of a processor as processors.
function processors(nanoCores) {
  return nanoCores === null ? "" : (Number(nanoCores) / 1e9).toFixed(2);
}

function part(title, columns, rows) {
  return [element("h2", "", title), rows.length ? listing(columns, rows) : element("p", "", "None")];
}
