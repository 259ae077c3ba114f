"""Statements that define tables and sequences, and change their definitions.

policies            CREATE, ALTER and DROP POLICY: conditions over rows for some roles
alter_table         ALTER TABLE … ADD and ALTER COLUMN, ADD and DROP CONSTRAINT: any number of actions at once
altered_identity    ALTER COLUMN … ADD GENERATED AS IDENTITY, SET GENERATED, DROP IDENTITY
column_sequence     columns with values from a sequence: serial, and GENERATED … AS IDENTITY
constraint_attributes  DEFERRABLE and INITIALLY DEFERRED behind a column's constraints
create_table        CREATE TABLE: columns with NOT NULL and DEFAULT, constraints, RETAIN HISTORY
create_table_as     CREATE TABLE … AS and SELECT … INTO: a table with a query's columns, and the query's rows in it
exclusion           EXCLUDE by equality; columns of keys
foreign_key         FOREIGN KEY and REFERENCES, as CREATE TABLE and ALTER TABLE declare them
generated_column    GENERATED ALWAYS AS (…) STORED: the expression of a column over its row
like_clause         LIKE in CREATE TABLE: the columns of an existing table or view
sequence            CREATE SEQUENCE and ALTER SEQUENCE
storage_parameters  WITH (fillfactor = …) and its kin
table_constraints   constraints as CREATE TABLE and ALTER TABLE declare them
table_rules         constraints and defaults of a table as declared
"""
