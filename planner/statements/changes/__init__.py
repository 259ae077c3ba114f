"""Statements that change rows: INSERT, UPDATE, DELETE, MERGE, COPY, and what they share.

assignment           what INSERT, UPDATE and COPY share
copy                 COPY … FROM STDIN, COPY … TO STDOUT, and both with a file of the server's or objects of a bucket
copy_options         COPY's options, in both of its syntaxes, as written: the wire checks and completes them
delete               DELETE … USING … WHERE … RETURNING, and TRUNCATE
generating           values of generated columns
implied_conditions   whether the WHERE of ON CONFLICT implies the condition of a partial index
insert               INSERT: VALUES with DEFAULT, SELECT, DEFAULT VALUES, ON CONFLICT, RETURNING, AS OF
inserted_row         rows of VALUES of INSERT and MERGE
insert_targets       INSERT INTO t (a, b[1], c.f): the columns, or parts of columns, that an INSERT's list names
merge                MERGE INTO … USING … ON … WHEN …
modifying            data-modifying statements in WITH: each a step before the statement that they stand in front of
on_conflict          INSERT … ON CONFLICT: which keys are meant, and what DO UPDATE makes of a row
overriding           values given for identity columns: INSERT … OVERRIDING, and what UPDATE may say
parameters_assigned  parameters as values of columns, of which an INSERT may have tens of thousands
part_assignment      column[2] and column.field as targets of UPDATE and INSERT
repair_table         ALTER TABLE … REPAIR
simple_view          views that can be written to: what their queries stand on, or why they can't be
several_columns      SET (a, b) = ROW(x, y), SET (a, b) = (SELECT …): what each of several columns is assigned
target               the table of INSERT, UPDATE and DELETE, also beneath views
update               UPDATE … SET … FROM … WHERE … RETURNING
"""
