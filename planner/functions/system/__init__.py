"""Functions about the system: the catalog, settings, sequences, and calls that the server alone can make.

keywords         the words that an identifier must be quoted for (pg_get_keywords, all but the unreserved)
advisory         pg_advisory_lock and its kin
large_objects    lo_open and its kin
lock_lookup      questions of pg_advisory_lock and its kin to the session
lookup           questions of functions to the catalog
name_lookup      questions of functions about names and oids of objects
names_written    names in place of oids for regclass and its kin, also inside arrays and records
privilege_lookup questions of functions about privileges and roles
privileges       privileges granted: has_column_privilege and its kin
properties       facts about texts, types, tables and the server, equal for every session
sequence_lookup  questions of nextval and its kin to the session
server_calls     calls that only the server can make, once for each evaluation: nextval, set_config
session_facts    questions of functions to the session
sizes            pg_size_pretty: bytes in the unit that keeps them short, rounded half away from zero
value_sizes      pg_column_size: the bytes in which PostgreSQL holds a value
sleeping         pg_sleep and its kin
waiting          functions that make their statement wait
"""
