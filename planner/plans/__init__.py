"""Plans of statements, one family of statements a file; `plan` is the union of all.

alter_table       ALTER TABLE: its actions, in the order of execution
changes           plans of statements that change rows
connection_plans  plans of statements about secrets and connections
constraints       constraints of tables in plans: as declared, and as checked against rows
copying           plans of COPY, from and to the client or a file of the server's
explaining        EXPLAIN's plan
foreign_keys      foreign keys: as declared, and as tables have them
functions         plans of statements about functions and procedures of users
large_objects     plans of statements about large objects
locks             plans of SELECT … FOR UPDATE and its kin, and LOCK TABLE
objects           plans of statements that treat objects of several kinds alike, by their names
queries           plans of statements that return rows and change nothing
read_holds        plans of statements about named read holds
policies          plans of statements about policies
replicas          plans of statements about cluster replicas
roles             plans of statements about roles, memberships, owners and privileges
sequences         plans of statements about sequences
session           plans of statements about the session itself
sinks             plans of statements about sinks
sources           plans of statements about sources
subscribing       SUBSCRIBE's plan: the relation, the form of its changes, the first and last time
tables            plans of statements that make tables
types             plans of statements about types
views             plans of statements that create views, materialized views and indexes
"""
