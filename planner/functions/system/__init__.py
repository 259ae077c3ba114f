"""Functions about the system: the catalog, settings, sequences, and calls that the server alone can make.

keywords         the words that an identifier must be quoted for (pg_get_keywords, all but the unreserved)
advisory         pg_advisory_lock and its kin
lock_lookup      what these ask
lookup           what functions ask of the catalog and of the session
names_written    what regclass and its kin number, by name, wherever such a value stands within another one
privileges       what is granted: has_column_privilege and its kin
properties       what tools ask of texts, types, tables and the server that is the same for every session
sequence_lookup  what the functions of sequences ask
server_calls     calls that only the server can make, each time that they are evaluated: nextval, set_config
sizes            pg_size_pretty: bytes in the unit that keeps them short, rounded half away from zero
sleeping         pg_sleep and its kin
waiting          functions that wait: the statement does, and nothing else
"""
