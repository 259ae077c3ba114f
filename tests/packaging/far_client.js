// Logs in with node-postgres, asks, and prints the answer: node far_client.js HOST PORT. The password is in PGPASSWORD,
// the role in PGUSER.
// With AUTHORITY, the file of an authority's certificate, it insists on TLS with a server that this vouches for.
const fs = require("fs");
const { Client } = require("pg");

async function ask(host, port) {
  const authority = process.env.AUTHORITY;
  const ssl = authority ? { ca: fs.readFileSync(authority), enableChannelBinding: true } : false;
  const password = process.env.PGPASSWORD;
  const client = new Client({ host, port, user: process.env.PGUSER, database: "headwater", password, ssl });
  await client.connect();
  const result = await client.query("SELECT $1::int + 1 AS answer", [41]);
  console.log(result.rows[0].answer);
  await client.end();
}

ask(process.argv[2], Number(process.argv[3])).catch((error) => {
  console.error(error.code, error.message);
  process.exit(1);
});
