// Sources and sinks: how they are, how much flows, how far they are, and how they were.

import { button, element, listing, sparkline } from "/console/elements.js";
import { bytes, moment, rate, span } from "/console/measures.js";
import { literal } from "/console/words.js";

const SOURCES = `
SELECT s.id, s.name, s.type, s.status, s.error, s.details ->> 'hint', t.messages_received, t.bytes_received,
  t.updates_committed, t.offset_committed, t.offset_lag
FROM mz_internal.mz_source_statuses s LEFT JOIN mz_internal.mz_source_statistics t ON t.id = s.id
ORDER BY s.status = 'running', s.name`;
const SINKS = `
SELECT s.id, s.name, s.type, s.status, s.error, s.details ->> 'hint', t.transactions, t.documents_stored, t.bytes_stored,
  t.last_commit_ms, t.lag_ms
FROM mz_internal.mz_sink_statuses s LEFT JOIN mz_internal.mz_sink_statistics t ON t.id = s.id
ORDER BY s.status = 'running', s.name`;
const HISTORY = (kind, id) => `
SELECT occurred_at, status, error FROM mz_internal.mz_${kind}_status_history
WHERE ${kind}_id = ${literal(id)} ORDER BY occurred_at DESC LIMIT 100`;

// What each kind has received or written, and how far it was behind, at [ms, count, behind].
const HOUR = {
  source: (id) => `
SELECT extract(epoch FROM occurred_at) * 1000, messages_received, offset_lag
FROM mz_internal.mz_source_statistics_history WHERE id = ${literal(id)} ORDER BY occurred_at`,
  sink: (id) => `
SELECT extract(epoch FROM occurred_at) * 1000, documents_stored, lag_ms
FROM mz_internal.mz_sink_statistics_history WHERE id = ${literal(id)} ORDER BY occurred_at`,
};

export class Flows {
  static queries = [SOURCES, SINKS];

  constructor(place, ask) {
    Object.assign(this, { ask, counts: new Map() });
    this.lists = element("div");
    this.history = element("div", "details");
    place.replaceChildren(this.lists, this.history);
  }

  draw([sources, sinks]) {
    const now = Date.now(), counts = new Map();
    const perSecond = (row, count) => {
      counts.set(row[0], [now, count]);
      const found = rate(this.counts.get(row[0]), [now, count]);
      return found === null ? "" : found.toFixed(found >= 10 ? 0 : 1);
    };
    const common = (kind) => [
      { name: "name", of: (row) => button(row[1], () => this.tellHistory(kind, row[0], row[1])) },
      { name: "type", of: (row) => row[2] }, { name: "state", of: (row) => row[3] },
      { name: "error", of: (row) => [row[4], row[5] && `HINT: ${row[5]}`].filter(Boolean).join(" ") },
    ];
    this.lists.replaceChildren(
      element("h2", "", "Sources"),
      sources.length ? listing(
        [
          ...common("source"), { name: "messages", number: true, of: (row) => row[6] },
          { name: "messages/s", number: true, of: (row) => perSecond(row, row[6]) },
          { name: "bytes", number: true, of: (row) => bytes(row[7]) }, { name: "updates", number: true, of: (row) => row[8] },
          { name: "offset", number: true, of: (row) => row[9] }, { name: "behind upstream", number: true, of: (row) => row[10] },
        ],
        sources,
      ) : element("p", "", "No source yet. For a first one: CREATE SOURCE ticks FROM LOAD GENERATOR COUNTER (TICK INTERVAL '1s')"),
      element("h2", "", "Sinks"),
      sinks.length ? listing(
        [
          ...common("sink"), { name: "transactions", number: true, of: (row) => row[6] },
          { name: "documents", number: true, of: (row) => row[7] },
          { name: "documents/s", number: true, of: (row) => perSecond(row, row[7]) },
          { name: "bytes", number: true, of: (row) => bytes(row[8]) }, { name: "last commit", number: true, of: (row) => span(row[9]) },
          { name: "behind", number: true, of: (row) => span(row[10]) },
        ],
        sinks,
      ) : element("p", "", "No sink yet. For a first one: CREATE SINK written FROM ticks INTO FILES (PATH '/tmp/written') FORMAT CSV"),
    );
    this.counts = counts;
  }

  async tellHistory(kind, id, name) {
    this.told = id;
    const [rows, hour] = await this.ask(HISTORY(kind, id), HOUR[kind](id)).catch((error) => [[["", "", error.message]], []]);
    if (this.told !== id) return;
    this.history.replaceChildren(
      element("h2", "", `How ${name} was`),
      listing([{ name: "since", of: (row) => moment(row[0]) }, { name: "state", of: (row) => row[1] }, { name: "error", of: (row) => row[2] }], rows),
      ...pastHour(kind, hour),
    );
  }
}

// Two lines over the past hour: what came through in each second, and how far behind that was.
function pastHour(kind, rows) {
  if (rows.length < 2) return [];
  const samples = rows.map((row) => row.map((value) => Number(value ?? 0)));
  const rates = samples.slice(1).map((now, at) => [now[0], rate(samples[at], now) ?? 0]);
  const most = (which) => Math.max(...which.map(([, value]) => value));
  const behind = samples.map(([at, , lag]) => [at, lag]);
  const far = kind === "sink" ? span(most(behind)) : most(behind);
  return [
    element("h2", "", "The past hour"),
    element("p", "", `${kind === "sink" ? "documents" : "messages"} a second, at most ${most(rates).toFixed(1)} `, sparkline(rates, "what came through")),
    element("p", "", `behind, at most ${far} `, sparkline(behind, "how far behind")),
  ];
}
