// PGlite, PostgreSQL in WebAssembly, with the extension pg_ivm, which keeps views within each statement.
//
//     node pglite_ivm.mjs ENVIRONMENT FOLDER WORKLOAD BATCHES
//
// Prints what course.py says that a peer prints.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [environment, folder, workload, batchCount] = process.argv.slice(2);
const batches = Number(batchCount);
const require = createRequire(join(environment, "package.json"));
const { PGlite } = await import(pathToFileURL(require.resolve("@electric-sql/pglite")));
const { pg_ivm } = await import(pathToFileURL(require.resolve("@electric-sql/pglite-pg_ivm")));

const queries = {
  W1: "SELECT k, count(*) AS n, sum(x) AS s FROM facts GROUP BY k",
  W2: "SELECT g, count(*) AS n, sum(x) AS s FROM facts JOIN dimension ON facts.k = dimension.k GROUP BY g",
};

async function copyIn(database, table, name) {
  const blob = new Blob([readFileSync(join(folder, name))]);
  await database.query(`COPY ${table} FROM '/dev/blob' WITH (FORMAT csv)`, [], { blob });
}

async function begin() {
  const database = await PGlite.create({ extensions: { pg_ivm } });
  await database.exec(`
    CREATE EXTENSION pg_ivm;
    CREATE TABLE facts (id bigint PRIMARY KEY, k bigint, x bigint);
    CREATE TABLE dimension (k bigint PRIMARY KEY, g bigint);
    CREATE TABLE leaving (id bigint, k bigint, x bigint);
  `);
  await copyIn(database, "dimension", "dimension.csv");
  await database.query("SELECT pgivm.create_immv('grouped', $1)", [queries[workload]]);
  return database;
}

async function apply(database, batch) {
  await copyIn(database, "facts", `inserts-${batch}.csv`);
  await copyIn(database, "leaving", `deletes-${batch}.csv`);
  await database.exec("DELETE FROM facts USING leaving WHERE facts.id = leaving.id; TRUNCATE leaving");
}

async function read(database) {
  const group = workload === "W1" ? "k" : "g";
  const answer = await database.query(`SELECT ${group}::text AS a, n::text, s::text FROM grouped`);
  return answer.rows.map((row) => [Number(row.a), Number(row.n), Number(row.s)]);
}

async function timed(each) {
  const database = await begin();
  let rows = [];
  const began = performance.now();
  for (let batch = 0; batch < batches; batch++) {
    await apply(database, batch);
    if (each || batch === batches - 1) rows = await read(database);
  }
  const seconds = (performance.now() - began) / 1000;
  await database.close();
  return [seconds, rows];
}

const [onceS, rows] = await timed(false);
const [eachS] = await timed(true);
console.log(JSON.stringify({ once_s: onceS, each_s: eachS, rows }));
