"""Dates, times, intervals and zones as text.

tokens             texts cut into numbers, dates, clocks, offsets and words
date_words         the words of dates and times
date_fields        the fields of a date's or time's text
date_numbers       numbers in these texts
dates_and_times    texts to date, time, timestamp and timestamptz
date_output        date, time, timestamp and timestamptz to texts
near_years         local times beyond the years 1 to 9999
timetz             time with time zone
interval_input     texts to intervals
interval_output    intervals to texts
zones              time zones by name
zone_abbreviations PostgreSQL's abbreviations of zones
"""
