"""The nouns of the formalism, shared by every room: times, frontiers, ids, types, rows, updates, capabilities.

From top to bottom; a room imports only those below it:

updates/   changes to a collection: (row, time, diff), and columns of changes as Arrow tables
physical/  how datums lie in Arrow, Parquet and Spark
external/  sources and sinks as plain data: formats, schemas, places
text/      PostgreSQL's text form of each type, in and out
order/     when values are equal, and which is less; ranges
types/     what a value is: its PostgreSQL type, its Python value; what a row is: named, typed columns
search/    tsvector and tsquery: their values as trees, as bytes and as text
json/      JSON's texts and values; the syntax tree of jsonpaths
patterns/  PostgreSQL's regular expressions, which some types' values hold
time/      times of a timeline, frontiers, capabilities; the clock, the only door to wall time and randomness
ids/       the names of collections, for ever
errors/    failures as PostgreSQL names them
process/   what a process gives to others: environments of children, texts without secrets

Nothing here imports another package.
"""
