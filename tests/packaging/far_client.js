// Logs in with node-postgres, asks, and prints the answer: node far_client.js HOST PORT. The password is in PGPASSWORD.
const { Client } = require("pg");

async function ask(host, port) {
  const client = new Client({ host, port, user: "headwater", database: "headwater", password: process.env.PGPASSWORD });
  await client.connect();
  const result = await client.query("SELECT $1::int + 1 AS answer", [41]);
  console.log(result.rows[0].answer);
  await client.end();
}

ask(process.argv[2], Number(process.argv[3])).catch((error) => {
  console.error(error.code, error.message);
  process.exit(1);
});
