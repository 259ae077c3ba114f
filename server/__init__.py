"""The server: the wire protocol, sessions, and the coordinator that executes their statements.

pgwire/       PostgreSQL's wire protocol, without a thought of SQL
session/      one client's state: variables, prepared statements, portals, its transaction
coordinator/  the environment: start-up, planning, reads and writes; sequence/ has one file a statement kind
subscription/ SUBSCRIBE under way: changes on their way to one client
options, cli  what a user can say to `headwater`
serve         the server process, on the places that `places` has checked; script: `headwater sql`
demo/         the tour on real data
admission/        which clients come in, and by which proof: rules in the form of PostgreSQL's pg_hba.conf
entrance          the entrance for clients: addresses, passwords, rules, certificates
command_line      secrets of the command line, which every user of the machine can read
connector_check/  `headwater connector`: what helps those who write programs as destinations of sinks
evaluation/       the interpreter for statements, where nobody waits for it
reloading         reading files of the configuration again while the server runs: at SIGHUP, and when SQL asks for it
secrets/          secrets: their values encrypted for the catalog, and the key that none of it holds
tls/              TLS, for everybody who connects
webhooks/         webhook sources as clients have them
"""
