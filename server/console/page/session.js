// A session with the server: a token for a user, and a WebSocket over which statements run.

const TOKEN = "/api/token", SQL = "/api/sql", SOCKET = "/api/experimental/sql";

export class Refused extends Error {}

function utf8Base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function inDatabase(path, database) {
  return database ? `${path}?options=${encodeURIComponent(JSON.stringify({ database }))}` : path;
}

// Returns {token, user, database}; throws Refused with the server's words.
export async function signIn(user, password, database) {
  const answer = await fetch(inDatabase(TOKEN, database), {
    method: "POST",
    headers: { authorization: `Basic ${utf8Base64(`${user}:${password}`)}`, "content-type": "application/json" },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Refused(text.trim() || `the server answers ${answer.status}`);
  const told = JSON.parse(text);
  return { token: told.token, user: told.user, database };
}

// Runs statements beside the session, in a transaction of their own; returns their results.
export async function ask(pass, query) {
  const answer = await fetch(inDatabase(SQL, pass.database), {
    method: "POST",
    headers: { authorization: `Bearer ${pass.token}`, "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  if (!answer.ok) throw new Refused((await answer.text()).trim());
  const { results } = await answer.json();
  for (const result of results) if (result.error) throw new Refused(result.error.message);
  return results;
}

export class Session {
  // `heard(type, payload)` is called for every message; `ended(reason)` once, when the session is over.
  constructor(pass, heard, ended) {
    this.pass = pass;
    this.connId = null;
    this.ready = false;
    this.error = null;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}${SOCKET}`);
    this.socket.onopen = () => {
      const options = { application_name: "headwater console", ...(pass.database ? { database: pass.database } : {}) };
      this.socket.send(JSON.stringify({ token: pass.token, options }));
    };
    this.socket.onmessage = ({ data }) => {
      const { type, payload } = JSON.parse(data);
      if (type === "BackendKeyData") this.connId = payload.conn_id;
      if (type === "ReadyForQuery") this.ready = true;
      if (type === "Error") this.error = payload.message;
      heard(type, payload);
    };
    this.socket.onclose = ({ reason }) => ended(this.error || reason || "the connection has ended");
  }

  run(query) {
    this.ready = false;
    this.error = null;
    this.socket.send(JSON.stringify({ query }));
  }

  // Cancels what runs; the session stays.
  async cancel() {
    if (this.connId !== null) await ask(this.pass, `SELECT pg_cancel_backend(${Number(this.connId)})`);
  }

  close() {
    this.socket.onclose = null;
    this.socket.close();
  }
}
