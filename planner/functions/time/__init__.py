"""Functions of dates, times and intervals, and their templates.

date_formatting  to_char of timestamps and intervals
date_making      make_date and its kin, AT TIME ZONE, to_timestamp of seconds, isfinite
date_parts       extract and date_part: a field of a date, time, timestamp or interval
date_reading     to_date and to_timestamp: a text read by a template, the fields that it has made a day and a time
date_rounding    date_trunc, date_bin, age and OVERLAPS
date_scanning    from a text and a template to the numbers that the text has for the template's fields
date_templates   the templates of to_char, to_date and to_timestamp, cut into patterns and literal text
date_time        + and - of dates, times, timestamps and intervals
date_units       the names of units of time, as extract, date_part and date_trunc take them
interval         arithmetic of intervals: months, days and time apart
moments          dates and times as numbers and back, between local time and UTC
timetz           time with time zone: casts, arithmetic with dates and intervals, AT TIME ZONE, OVERLAPS
"""
