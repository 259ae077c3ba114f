"""Functions, operators, casts, aggregates and table functions: one row each, in a table.

signature   what a row says; a folder has the families of one kind, one file each, which list rows
registry    finds rows by name or key
boolean           NOT, IS [NOT] TRUE, FALSE, UNKNOWN, and counting NULLs
collections/      functions of arrays, lists, maps and ranges
comparison        = <> < <= > >=, IS [NOT] DISTINCT FROM, IS [NOT] NULL, GREATEST and LEAST
failures          errors that several families raise, in PostgreSQL's words
growing           functions whose answer, or whose work, is not bounded by the size of what they are given
json/             functions of json and jsonb, jsonpath, and what SQL/JSON's grammar writes
numbers/          functions of numbers and bits: arithmetic, mathematics, numbers by templates, random values
operator_aliases  the functions behind operators, by the names that PostgreSQL gives them: `int4pl(1, 2)` is `1 + 2`
operator_codes    the functions behind operators
sameness          IS NOT DISTINCT FROM for two values of one type
subquery          what a subquery used as a value becomes once it is a join: the check that there was one row at most
system/           functions about the system
tables/           functions that return rows
text/             functions of text and bytes: characters, patterns, quoting, encodings, digests
time/             functions of dates, times and intervals, and their templates
types/            functions of types that users define, of records, of addresses, and the binary forms of types
variadic          `f(…, VARIADIC array)`: the variadic functions once more, taking the repeated arguments as one array
volatility        whether an expression, or a relation, may give another value each time it is evaluated
windows/          functions of windows: places in a group of rows, and what frames compute with
"""
