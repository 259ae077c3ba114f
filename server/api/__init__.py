"""Answers over HTTP beside webhook sources: SQL, metrics, whether the server lives and is ready.

client        a session's client over HTTP: notices, and variables that statements change
door          a user and a password, or a token, held against the rules and verifiers of pgwire
health        whether the process lives, and whether the server is ready
loop_delay    how late the event loop comes to due work
metrics       the metrics of the server, for Prometheus
metric_families  metrics of an environment and of processes at one moment
json_values   values of each type as JSON
origins       refuses requests that pages of foreign sites have a browser send
socket_answers  results as messages of a WebSocket
socket_session  one client over a WebSocket
sockets       makes WebSockets of connections
sql           runs the statements of a request within a session
sql_answers   results as JSON, sent piece by piece when long
sql_requests  reads the body and the options of a request for SQL
statement_run  runs a request's statements in a client's session
token_requests  gives users tokens
tokens        what is known of tokens that were given
"""
