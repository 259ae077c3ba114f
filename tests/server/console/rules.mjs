// What the console's rules answer. Read by test_pages.py, which runs it among the console's files.

import assert from "node:assert";
import { completions, lineOf, quoted, tells, wordBefore } from "./words.js";
import { LiveRows } from "./live.js";

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
