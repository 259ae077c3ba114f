"""Aggregates: functions of groups of rows, in which order never matters but where it is asked for.

json              jsonb_agg, json_agg and their kin for objects
numbers           count, sum, avg and the bit aggregates
ordered           ordered-set aggregates: percentiles and the mode
range_aggregates  range_agg and range_intersect_agg: ranges and multiranges as sets, of which NULLs are left out
statistics        variances, deviations, covariances, regressions: computed exactly, rounded once
values            min, max, the boolean aggregates, and those that collect values: array_agg, string_agg
"""
