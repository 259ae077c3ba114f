"""Reads the tables of a publication: copied once, then followed by logical replication.

asked             opens connections that the end of a reader interrupts
assembly          puts messages together to whole transactions
postgres_columns  reads texts of values as columns
copies            keeps the copies that are whole, for the next process if need be
copy_attempt      makes the initial copy whole, or goes on with an earlier attempt
initial_copy      copies the tables as they are in the slot's snapshot
looks             looks at upstream's catalogs while the stream is read: regularly, and whenever a relation is described
pgoutput          decodes messages of the output plugin
publications      finds the published tables, and the types of columns here
reader            runs the steps in a thread
relations         finds our columns among those that upstream tells of
results           waits for libpq's results by polling
session           streams over one connection
slots             the replication slot: made, looked at, freed, dropped
standings         checks whether upstream's tables are still the tables that are followed
stream            follows the stream of changes: units out of messages, and what is acknowledged
streamed          takes parts of large transactions before they have ended
units             the units that are bound as a whole
walsender         frames of the replication protocol
"""
