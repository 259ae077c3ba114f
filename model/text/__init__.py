"""PostgreSQL's text form of each type: its input functions and its output functions, errors included.

dispatch          the door: parse_datum, format_datum, parser, formatter
modifiers         what varchar(n), char(n), numeric(p,s), timestamp(p) do to a value
context           what the text depends on besides the value: zone, styles
integers, floats, numerics, booleans, strings, bytea, uuids, json_text, arrays, records
date_fields, date_numbers, dates_and_times, zones, zone_abbreviations, interval_input, interval_output
failures          the errors that several families raise
"""
