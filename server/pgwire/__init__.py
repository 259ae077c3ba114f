"""PostgreSQL's wire protocol, version 3, as a state machine without I/O, and the sockets around it.

messages        what client and server say, as values
codec           bytes to frontend messages; encode: backend messages to bytes
descriptions    rows and parameters described; parameters: those of Bind as datums
state           which message may come when; error recovery; `Machine`
authentication  trust and SCRAM-SHA-256
backend         the Protocols that whoever answers statements implements: Backend, Session
encoding/       values in text and binary format, rows as DataRow messages
copy/           COPY's formats: text, csv, binary, in and out
arriving        how much of messages that have not ended all connections hold
connection      one client's socket: reads, feeds the machine, lets the client in, writes
statement_loop  hands each message to the session, and fails what fails alone
function_calls  calls of functions by oid
statements      what each statement's result becomes on the wire
large_values    what is so large that it is done beside the event loop
server          listening, the registry of connections, cancel keys, shutdown
verifier  verifiers check proofs of a password (RFC 5802); their text is pg_authid's
"""
