"""The nouns of the formalism, shared by every room: times, frontiers, ids, types, rows, updates, capabilities.

timestamp, antichain   when: a time of a timeline, and a frontier of times
global_id              who: the name of a collection for ever
scalar_type, datum     what a value is: its PostgreSQL type, its Python value
order, json_order      when values are equal, and which is less
relation_desc          what a row is: named, typed columns
update                 a change: (row, time, diff), and columns of changes as Arrow tables
consolidate            updates of equal rows become one
physical               how datums lie in Arrow, Parquet and Spark
capability             the right to read from, or write to, a collection
text/                  PostgreSQL's text form of each type, in and out
process/               what a process gives to others: environments of children, texts without secrets
patterns/              PostgreSQL's regular expressions, which some types' values hold
clock                  the only door to wall time and randomness
errors, sqlstate       failures as PostgreSQL names them

Nothing here imports another room.
"""
