// The objects that hold rows, with their lags and the last ticks: what pages of freshness and of the graph begin with.

const QUERY = `
SELECT o.id, n.name, o.name, o.type, extract(epoch FROM w.lag) * 1000, extract(epoch FROM m.local_lag) * 1000,
  m.slowest_local_input_id, d.status, d.reason, h.hydrated, h.percent, t.p50_ms, t.p99_ms, t.last_ms, t.rows_read,
  t.rows_written, coalesce(so.error, si.error), coalesce(so.status, si.status)
FROM mz_catalog.mz_objects o JOIN mz_catalog.mz_schemas n ON n.id = o.schema_id
JOIN mz_catalog.mz_databases b ON b.id = n.database_id AND b.name = current_database()
LEFT JOIN mz_internal.mz_wallclock_global_lag w ON w.object_id = o.id
LEFT JOIN mz_internal.mz_materialization_lag m ON m.object_id = o.id
LEFT JOIN mz_internal.mz_dataflow_statuses d ON d.object_id = o.id
LEFT JOIN mz_internal.mz_hydration_statuses h ON h.object_id = o.id
LEFT JOIN mz_internal.mz_dataflow_ticks t ON t.object_id = o.id
LEFT JOIN mz_internal.mz_source_statuses so ON so.id = o.id
LEFT JOIN mz_internal.mz_sink_statuses si ON si.id = o.id
WHERE o.id LIKE 'u%' AND o.type IN ('table', 'view', 'materialized-view', 'index', 'source', 'sink')
ORDER BY o.id`;

const number = (value) => (value === null ? null : Number(value));

export class Maintained {
  static QUERY = QUERY;

  constructor(rows) {
    this.objects = rows.map((row) => ({
      id: row[0], schema: row[1], name: row[2], bare: row[2], type: row[3], lag: number(row[4]), localLag: number(row[5]),
      slowestLocal: row[6], status: row[7], reason: row[8], hydrated: row[9], percent: row[10], p50: number(row[11]),
      p99: number(row[12]), last: number(row[13]), read: row[14], written: row[15], error: row[16], state: row[17],
    }));
    // A name alone where it is the only one, else with its schema.
    const counts = new Map();
    for (const { name } of this.objects) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const object of this.objects) if (counts.get(object.name) > 1) object.name = `${object.schema}.${object.name}`;
    this.byId = new Map(this.objects.map((object) => [object.id, object]));
    this.find = (id) => this.byId.get(id) ?? null;
  }
}
