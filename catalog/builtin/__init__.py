"""The contents of system relations, computed from a SystemSnapshot when they are read.

pg_catalog/              the relations of PostgreSQL's pg_catalog that have contents
information_schema       the information_schema; information_constraints, information_types: parts of it
mz_catalog_rows          contents of mz_catalog; mz_catalog_system: about system relations
mz_internal_rows         contents of mz_internal
dataflow_rows            … about dataflows of indexes and materialized views
freshness_rows           … about the lag of indexes and materialized views
history_rows             … about the past hour: lags, statistics, what replicas used
notice_rows              … about what asks for attention, with what can be done
object_rows              … about objects of all kinds: names, beginnings, comments
privilege_rows           … about what the reading role may do
shown_to                 the reading role, and the rows that PostgreSQL shows to the role
statement_rows           … about statements that run or have run
sink_rows, source_rows   … about sinks and sources; task_details: errors, for readers who may see them
shape                    rows in the columns that PostgreSQL has
registry                 all system relations with their contents
information_privileges  information_schema's views of roles and privileges
"""
