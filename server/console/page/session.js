// A session with the server: a token for a user, and a WebSocket over which statements run.

// What the pages call themselves in what they ask beside the user's own statements.
export const PAGES = "headwater console pages";

const TOKEN = "/api/token", SQL = "/api/sql", SOCKET = "/api/experimental/sql";

export class Refused extends Error {}

function utf8Base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function withOptions(path, database, options = {}) {
  return `${path}?options=${encodeURIComponent(JSON.stringify(database ? { ...options, database } : options))}`;
}

// Returns {token, user, database}; throws Refused with the server's words.
export async function signIn(user, password, database) {
  const answer = await fetch(withOptions(TOKEN, database), {
    method: "POST",
    credentials: "omit",  // or the browser asks for a password itself, and keeps it
    headers: { authorization: `Basic ${utf8Base64(`${user}:${password}`)}`, "content-type": "application/json" },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Refused(text.trim() || `the server answers ${answer.status}`);
  const told = JSON.parse(text);
  return { token: told.token, user: told.user, database };
}

// Runs statements beside the session, in a transaction of their own; returns the rows of each.
export async function ask(pass, ...queries) {
  const answer = await fetch(withOptions(SQL, pass.database, { application_name: PAGES }), {
    method: "POST",
    credentials: "omit",
    headers: { authorization: `Bearer ${pass.token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: queries.join(";\n") }),
  });
  if (!answer.ok) throw new Refused((await answer.text()).trim());
  const { results } = await answer.json();
  for (const result of results) if (result.error) throw new Refused(result.error.message);
  return results.map(({ rows }) => rows ?? []);
}

export class Session {
  // `heard(type, payload)` is called for every message; `ended(reason, refused)` once, when the session is over: refused
  // says that the user was not let in.
  constructor(pass, heard, ended) {
    this.pass = pass;
    this.connId = null;
    this.ready = false;
    this.error = null;
    this.begun = false;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}${SOCKET}`);
    this.socket.onopen = () => {
      const options = { application_name: "headwater console", ...(pass.database ? { database: pass.database } : {}) };
      this.socket.send(JSON.stringify({ token: pass.token, options }));
    };
    this.socket.onmessage = ({ data }) => {
      const { type, payload } = JSON.parse(data);
      if (type === "BackendKeyData") this.connId = payload.conn_id;
      if (type === "Error") this.error = payload;
      if (type === "ReadyForQuery") {
        this.ready = this.begun = true;
        this.error = null;
      }
      heard(type, payload);
    };
    this.socket.onclose = ({ reason }) => {
      const refused = !this.begun && this.error?.code === "28P01";
      ended(this.error?.message || reason || "the connection has ended", refused);
    };
  }

  run(query) {
    this.ready = false;
    this.socket.send(JSON.stringify({ query }));
  }

  // Cancels what runs; the session stays, unless nobody can be asked to cancel: then it ends, which cancels, too.
  async cancel() {
    try {
      await ask(this.pass, `SELECT pg_cancel_backend(${Number(this.connId)})`);
    } catch {
      this.socket.close();
    }
  }

  close() {
    this.socket.onclose = null;
    this.socket.close();
  }
}
