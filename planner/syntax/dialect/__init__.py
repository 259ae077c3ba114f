"""The dialect of our own statements and clauses: what PostgreSQL's grammar refuses, parsed with sqlglot.

statements   the door: the text without what the dialect took out of it, and what that was
tokens       PostgreSQL's scanner as sqlglot's tokens; parser   sqlglot's Parser over them
subscribe, read_holds, show          statements of our own
connections, sources                 those about secrets, connections and sources; options, known_options, formats
                                     and webhook are parts of them
explain, clauses                     clauses in PostgreSQL's statements
recursions, member_types, members    WITH MUTUALLY RECURSIVE, lists and maps

Queries, expressions and types are spans that PostgreSQL's grammar parses. It is asked first, so plain SQL never comes
here, and sqlglot is imported when the first text does.

backup     BACKUP TO, ALTER SYSTEM PROMOTE
clusters   CREATE, ALTER and DROP CLUSTER, CLUSTER REPLICA
headwater  the dialect as sqlglot knows it
repair     ALTER … REPAIR of tables and materialized views, which PostgreSQL's grammar does not know
sinks      CREATE SINK
written_statement   a statement in its message, rewritten in place
"""
