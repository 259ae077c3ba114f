"""Functions, operators, casts, aggregates and table functions: one row each, in a table.

signature   the fields of a row; a folder has the families of one kind, a file of rows each
registry    finds rows by name or key
answer_numbers    the numbers of functions: a mended function gets a greater number
boolean           NOT, IS [NOT] TRUE, FALSE, UNKNOWN, and counting NULLs
collections/      functions of arrays, lists, maps and ranges
comparison        = <> < <= > >=, IS [NOT] DISTINCT FROM, IS [NOT] NULL, GREATEST and LEAST
failures          errors that several families raise, in PostgreSQL's words
geometry/         functions of points, boxes, segments and circles
growing           functions whose result, or effort, is not bounded by the size of the arguments
json/             functions of json and jsonb, jsonpath, and what SQL/JSON's grammar writes
numbers/          functions of numbers and bits: arithmetic, mathematics, numbers by templates, random values
operator_aliases  the functions behind operators, by PostgreSQL's names: `int4pl(1, 2)` is `1 + 2`
operator_codes    the functions behind operators
search/           full text search: documents, questions, and whether one has what the other asks for
sameness          IS NOT DISTINCT FROM for two values of one type
session_functions names of functions whose value is that of the session, the statement or the transaction
subquery          the check that a subquery used as a value, now a join, has one row at most
system/           functions about the system
tables/           functions that return rows
text/             functions of text and bytes: characters, patterns, quoting, encodings, digests
time/             functions of dates, times and intervals, and their templates
types/            functions of users' types, records and addresses, and the binary forms of types
variadic          `f(…, VARIADIC array)`: the variadic functions once more, taking the repeated arguments as one array
volatility        finds expressions and relations whose value may change at each evaluation
windows/          functions of windows: places in a group of rows, and values in frames
"""
