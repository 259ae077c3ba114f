"""Where everything meets: the wire, sessions, and the coordinator that sequences their statements.

pgwire/       PostgreSQL's wire protocol, without a thought of SQL
session/      one client's state: variables, prepared statements, portals, its transaction
coordinator/  the environment: start-up, planning, reads and writes; sequence/ has one file a statement kind
subscription/ SUBSCRIBE under way: changes on their way to one client
options, cli  what a user can say to `headwater`
serve         the server process, on the places that `places` has checked; script: `headwater sql`
demo/         the tour on real data
"""
