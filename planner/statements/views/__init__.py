"""Statements about views, indexes, materialized views, SUBSCRIBE and read holds.

check_view                CHECK VIEW: compares maintained rows with the rows of the definition
create_index              CREATE [DEFAULT] INDEX: the key's expressions, planned and as text
create_materialized_view  CREATE MATERIALIZED VIEW: as CREATE VIEW, with options of maintenance
create_view               CREATE VIEW. The view's text is kept with every relation's schema written out
operator_classes          operator classes for columns of an index: the classes of PostgreSQL's B-trees
read_hold                 CREATE, ALTER and DROP of named read holds
refresh                   REFRESH MATERIALIZED VIEW: does nothing, since views are always fresh
subscribe                 SUBSCRIBE: a relation, the ENVELOPE of its changes, and the times AS OF and UP TO
view_options              WITH (…) of views, ALTER VIEW … SET and RESET: security_invoker, security_barrier
view_query                planning of the query, shared by views and materialized views
"""
