// What the console's rules answer. Read by test_pages.py, which runs it among the console's files.

import assert from "node:assert";
import { layers, near } from "./layers.js";
import { LiveRows } from "./live.js";
import { bytes, criticalPath, line, moment, rate, reasonOf, span } from "./measures.js";
import { completions, lineOf, literal, quoted, tells, treeOf, wordBefore } from "./words.js";

assert.deepEqual(wordBefore("SELECT fo", 9), { word: "fo", begin: 7 });
assert.deepEqual(wordBefore("SELECT ", 7), { word: "", begin: 7 });
assert.equal(quoted("a_1"), "a_1");
assert.equal(quoted("Ab"), '"Ab"');
assert.equal(quoted('a"b'), '"a""b"');
assert.equal(quoted("select"), '"select"');
const names = [{ name: "orders", kind: "table" }, { name: "Orders", kind: "view" }];
assert.deepEqual(completions("or", names).map((each) => each.text), ["orders", '"Orders"', "order", "or"].slice(0, 3));
assert.deepEqual(completions("SEL", names).map((each) => each.text), ["SELECT"]);
assert.deepEqual(completions("", names), []);
assert.deepEqual(lineOf("SELECT 1;\nSELECT x", 18), { line: "SELECT x", number: 2, column: 7 });
assert.deepEqual(lineOf("SELECT '\u{1F600}', x", 14), { line: "SELECT '\u{1F600}', x", number: 1, column: 14 });
assert.ok(tells("CREATE SECRET s AS 'x'") && tells("ALTER ROLE a Password 'x'") && !tells("SELECT 1"));

const columns = ["mz_timestamp", "mz_diff", "a"].map((name) => ({ name }));
assert.ok(LiveRows.follows(columns) && !LiveRows.follows([{ name: "mz_timestamp" }]) && !LiveRows.follows([]));
const live = new LiveRows(columns);
for (const row of [["1", "2", "x"], ["1", "1", null], ["2", "-1", "x"], ["3", "-1", null], ["3", "1", "NULL"]]) live.take(row);
assert.deepEqual(live.rows().map(({ values }) => values), [["x"], ["NULL"]]);
assert.deepEqual(live.rows().map(({ mark }) => mark), ["", "more"]);
assert.deepEqual([live.time, live.total], ["3", 2]);
assert.deepEqual(live.changes.map(({ mark }) => mark), ["more", "more", "less", "less", "more"]);
for (let n = 0; n < 30000; n++) live.take(["4", "1", String(n % 7)]);
assert.ok(live.changes.length <= 10000 && live.present.size === 9);
assert.equal(live.rows(100).length, 100);

assert.equal(literal("a'b"), "'a''b'");
assert.deepEqual([0, 999.6, 1500, 61_000, 3_720_000, null].map(span), ["0 ms", "1000 ms", "1.5 s", "1 min 1 s", "1 h 2 min", ""]);
assert.deepEqual([12, 2048, 157286400, null].map(bytes), ["12 B", "2.0 KiB", "150 MiB", ""]);
assert.equal(moment("2026-01-02 03:04:05.678901+00"), "2026-01-02 03:04:05+00");
assert.equal(rate([1000, "10"], [3000, "30"]), 10);
assert.equal(rate([1000, "30"], [3000, "10"]), 0);
assert.deepEqual([rate(undefined, [1, 1]), rate([1, 1], [1, 2]), rate([1, null], [2, 2])], [null, null, null]);
assert.equal(line([[0, 1], [10, 2], [20, 0]], 100, 10), "0.0,5.0 50.0,0.0 100.0,10.0");

// Two diamonds, the second with a cycle back into it: a reader stands to the right of all its inputs.
const edges = [["b", "a"], ["c", "a"], ["d", "c"], ["d", "b"], ["c", "b"], ["e", "d"], ["f", "e"], ["e", "f"]];
const places = layers("fedcba", edges);
assert.equal(places.size, 6);
for (const [reader, input] of edges.slice(0, 6)) assert.ok(places.get(reader).column > places.get(input).column, reader);
assert.equal(new Set([...places.values()].map((at) => JSON.stringify(at))).size, 6);
assert.deepEqual([...near(edges, "a", 1, 10)].sort(), ["a", "b", "c"]);
assert.equal(near(edges, "a", 9, 4).size, 4);
const chain = Array.from({ length: 100_000 }, (_, at) => [at + 1, at]);
assert.equal(layers(near(chain, 0, 1e9, 1e9), chain).get(100_000).column, 100_000);

// A thousand objects over one: few are near, and they lie in two columns.
const star = Array.from({ length: 1000 }, (_, at) => [`v${at}`, "t"]);
const stars = layers(near(star, "v7", 3, 60), star);
assert.deepEqual([stars.size, stars.get("t").column, stars.get("v7").column], [60, 0, 1]);

const object = (id, more) => ({ id, name: id, lag: 0, localLag: 0, slowestLocal: null, status: "running", p50: null, ...more });
const known = new Map([object("t"), object("v", { slowestLocal: "t" }), object("w", { slowestLocal: "v" }), object("x", { slowestLocal: "x" })]
  .map((each) => [each.id, each]));
const find = (id) => known.get(id) ?? null;
assert.deepEqual(criticalPath(find("w"), find).map(({ id }) => id), ["w", "v", "t"]);
assert.deepEqual(criticalPath(find("x"), find).map(({ id }) => id), ["x"]);
assert.equal(reasonOf(object("v", { lag: 9000, localLag: 10, slowestLocal: "t" }), find), "waits for t");
assert.equal(reasonOf(object("v", { lag: 9000, localLag: 9000, slowestLocal: "t", p50: 5000 }), find), "its ticks take 5.0 s");
assert.equal(reasonOf(object("v", { status: "stalled", reason: "why" }), find), "stalled: why");
assert.equal(reasonOf(object("v", { hydrated: false, percent: "12" }), find), "reads what was there at the start, 12 %");
assert.equal(reasonOf(object("v"), find), "");

assert.deepEqual(treeOf(["Join", "  Read a", "    Filter", "  Read b", "", "Returns"]), [
  { text: "Join", inputs: [{ text: "Read a", inputs: [{ text: "Filter", inputs: [] }] }, { text: "Read b", inputs: [] }] },
  { text: "Returns", inputs: [] },
]);
