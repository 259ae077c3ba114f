"""Where everything meets: the wire, sessions, and the environment that sequences their statements.

From top to bottom; a room imports only those below it:

cli              `headwater`: each command imports what it runs
start/           the server process: places, start-up in the order that safety needs, the end
options          the options of `headwater serve`
replica_options  those about replicas
door_options     those about where clients come in
console/         the page in the browser; has no rights beyond a client's
agents/          the server of the Model Context Protocol
api/             SQL, metrics, livez and readyz over HTTP
session/         one client: answers the wire's calls, runs statements within a transaction
webhooks/        webhook sources over HTTP
statements/      one file a kind of statement; `dispatch` picks the file
writes/          rows checked and staged, locks, and the commit
cursors/         prepared statements, portals, cursors
reads/           computes a query's rows at one timestamp
transactions/    a transaction, and one execution of one statement in it
environment/     all parts that a statement may need, in one place
objects/         shards and dataflows of views, sources and sinks
planning/        statements to plans that can be executed
evaluation/      the interpreter for statements, off the event loop
ledgers/         books of the environment that know no statements: commits, sequences, locks, unfinished files
settings/        a session's variables
pgwire/          PostgreSQL's wire protocol, without SQL
http/            HTTP/1.1, without the meaning of requests
subscription/    SUBSCRIBE under way: changes on their way to one client
secrets/         secrets encrypted for the catalog
admission/       authentication, and limits on clients
tls/             encryption of connections
demo/            the tour on real data
connector_check/ checks a user's CONNECTOR program
script           `headwater sql`
reloading        reads files of the configuration again at SIGHUP
"""
