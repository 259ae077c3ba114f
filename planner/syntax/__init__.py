"""Texts to PostgreSQL's syntax trees, and what our own grammar adds around them.

parse, grammar        the door, and PostgreSQL's own grammar; nesting   how deep a text may be, judged from its tokens
segments, …_clauses   our clauses inside and around PostgreSQL's statements, cut out in place

call_stars             f(x).* and current_user(), as Materialize takes them
cluster_statements     statements about cluster replicas, as written
connection_statements  statements about secrets and connections, and those that are the same for sources and sinks
dialect/               the dialect of our own statements and clauses
extensions             what a message says beside PostgreSQL's grammar
identifiers            identifiers as SQL reads them back
members                lists and maps of a message, which its syntax tree has in other words
options                options of our own statements as they are written, and what is said of those that nobody knows
own_statements         statements that PostgreSQL does not have, as written: what the dialect makes of their texts
own_syntax             what PostgreSQL's grammar can't read, read by the dialect
pieces                 pieces of a statement (an expression, a type, a query …)
refusals               what PostgreSQL's grammar says of a text that it refuses, as PostgreSQL reports it, and where
renamed_text           a query's text with relations under other names, the rest of it untouched
secret_texts           texts that hold the value of a secret, as others may see them
sink_statements        CREATE SINK as it is written
source_statements      statements about sources, as written
statement_identity     equal texts for statements that differ in constants alone; the same with parameters
statement_words        the words by which errors call a statement or a kind of object
"""
