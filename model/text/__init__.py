"""PostgreSQL's text form of each type: its input functions and its output functions, errors included.

dispatch          the door: parse_datum, format_datum, parser, formatter
modifiers         what varchar(n), char(n), numeric(p,s), timestamp(p) do to a value
context           what the text depends on besides the value: zone, styles
integers, floats, numerics, booleans, strings, bytea, uuids, arrays, records
addresses/        addresses of networks and of machines in them
times/            dates, times, intervals and zones
jsonpaths/        jsonpath; JSON itself is in model/json
copy_options      how COPY writes and reads rows; copied_rows: these rows
encodings         encodings of clients, by codecs of Python
failures          the errors that several families raise
array_braces   the braces of an array's text: which elements they hold, and how many in each dimension
configurations regconfig in text: names of configurations of text search
bits           bit and bit varying in text: digits 0 and 1, or hexadecimal ones after an x; out as 0 and 1
enums          enumerated types in text: labels, which datums hold as positions
lists          lists and maps in text, as Materialize writes them
coordinates/   values of several numbers in text: vectors, points, boxes, segments and circles
money          money in text
names          names as users write them: dotted ones in their parts, and types by theirs
ranges         ranges and multiranges in text: `[1,5)`, `(,"a b"]`, `empty`; `{[1,3),[5,8)}`
"""
