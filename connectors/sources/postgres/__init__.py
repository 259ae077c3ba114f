"""PostgreSQL as an upstream: tables of a publication, copied once, then followed by logical replication.

settings       a connection's options as libpq's probe          whether a server answers publications   what is
published, and as which of our types walsender      frames of the replication protocol pgoutput       messages of the
output plugin relations      where our columns are among those that upstream tells of streamed       large transactions,
before they have ended assembly       messages to whole transactions columns        texts of values to columns spilled
changes that are too many for memory slots          the replication slot: made, looked at, freed, dropped initial_copy
the tables as they are in the slot's snapshot copies         those that are whole, for the next process if need be
session        one connection that streams reader         the thread that does all of it
looks      looks at upstream's catalogs while its stream is read: regularly, and whenever a relation is described
results    waits for libpq's results by polling
standings  checks whether upstream's tables are still the tables that are followed
"""
