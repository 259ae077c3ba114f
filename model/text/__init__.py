"""PostgreSQL's text form of each type: its input functions and its output functions, errors included.

dispatch          the door: parse_datum, format_datum, parser, formatter
modifiers         what varchar(n), char(n), numeric(p,s), timestamp(p) do to a value
context           what the text depends on besides the value: zone, styles
integers, floats, numerics, booleans, strings, bytea, uuids, arrays, records
times/            dates, times, intervals and zones
jsonpaths/        jsonpath; JSON itself is in model/json
copy_options      how COPY writes and reads rows; copied_rows: these rows
failures          the errors that several families raise
"""
