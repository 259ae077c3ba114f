// Who is connected and what runs, and the statements of before.

import { button, element, listing } from "/console/elements.js";
import { moment, span } from "/console/measures.js";
import { PAGES } from "/console/session.js";

const SESSIONS = `
SELECT s.pid, r.name, s.database, s.application_name, s.client_ip, s.connected_at, s.state, left(s.query, 2000)
FROM mz_internal.mz_sessions s LEFT JOIN mz_catalog.mz_roles r ON r.id = s.role_id
WHERE s.pid <> pg_backend_pid() ORDER BY s.state = 'idle', s.connected_at`;
const STATEMENTS = `
SELECT began_at, authenticated_user, left(sql, 2000), queued_ms, planned_ms, executed_ms,
  coalesce(finished_status, 'running'), sqlstate, rows_returned
FROM mz_internal.mz_recent_activity_log WHERE application_name <> '${PAGES}' OR authenticated_user <> current_user ORDER BY execution_id DESC LIMIT 200`;

export class Activity {
  static queries = [SESSIONS, STATEMENTS];

  constructor(place, ask, tell) {
    Object.assign(this, { place, ask, tell });
  }

  draw([sessions, statements]) {
    this.place.replaceChildren(
      element("h2", "", "Sessions"),
      listing(
        [
          { name: "pid", number: true, of: (row) => row[0] }, { name: "user", of: (row) => row[1] },
          { name: "database", of: (row) => row[2] }, { name: "application", of: (row) => row[3] },
          { name: "address", of: (row) => row[4] }, { name: "since", of: (row) => moment(row[5]) }, { name: "state", of: (row) => row[6] },
          { name: "statement", of: (row) => statement(row[7]) },
          { name: "", of: (row) => button("Cancel", () => this.signal("pg_cancel_backend", row[0])) },
          { name: "", of: (row) => button("Terminate", () => this.signal("pg_terminate_backend", row[0])) },
        ],
        sessions,
      ),
      element("h2", "", "Statements, the latest first"),
      listing(
        [
          { name: "began", of: (row) => moment(row[0]) }, { name: "user", of: (row) => row[1] },
          { name: "statement", of: (row) => statement(row[2]) }, { name: "waited", number: true, of: (row) => span(row[3]) },
          { name: "planned", number: true, of: (row) => span(row[4]) }, { name: "ran", number: true, of: (row) => span(row[5]) },
          { name: "ended", of: (row) => (row[7] ? `${row[6]} (${row[7]})` : row[6]) },
          { name: "rows", number: true, of: (row) => row[8] },
        ],
        statements,
      ),
    );
  }

  async signal(how, pid) {
    this.tell("");
    await this.ask(`SELECT ${how}(${Number(pid)})`).catch((error) => this.tell(error.message));
  }
}

function statement(text) {
  return Object.assign(element("code", "statement", text), { title: text ?? "" });
}
