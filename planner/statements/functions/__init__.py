"""Statements about users' functions and procedures.

create_function     CREATE FUNCTION and CREATE PROCEDURE … LANGUAGE SQL
parameters          their parameters
routine_options     their attributes and settings, and ALTER FUNCTION
routine_body        the statements that a procedure runs
stepped             queries that call functions of statements
call                CALL
inline_code         DO
block_declarations  the variables that a block of PL/pgSQL declares
block_returns       the expressions that a block of PL/pgSQL returns
block_reading       a block of PL/pgSQL, or the code of a routine, as its steps
function_names      functions as DROP, ALTER and GRANT name them, by their arguments' types
"""
