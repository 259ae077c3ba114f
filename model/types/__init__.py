"""The types of SQL values, their Python values, and rows.

embedding  the held form of a vector
geometry       the held forms of points, boxes, segments and circles
datum          the Python value of each SQL type
time_of_day    24:00:00, and times as microseconds
wide_time      dates and moments beyond the years 1 to 9999, and the infinities
type_table     what is known of each type by its name alone
scalar_type    PostgreSQL's types, with their OIDs and modifiers
range_types    which types are ranges, of what
relation_desc  the named, typed columns of a collection's rows
column_layout  which of the stored columns a table shows
decimals_columns  which stored columns tell how many decimals others' values show
narrow_columns  numeric columns that became wide
arrays         the shape of arrays
maps           maps as values
"""
