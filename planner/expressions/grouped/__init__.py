"""Expressions over groups of rows: aggregates, grouping sets, windows.

aggregates    aggregate calls: handed to the SELECT whose rows they are over
ordered_sets  WITHIN GROUP: ordered-set aggregates, and hypothetical-set ones
grouping      GROUPING(…): the arguments that the grouping set of a group leaves out, as bits of a number
windows       window definitions: WINDOW's names, OVER's own, one built on another
window_calls  calls with OVER: handed to the SELECT over whose rows they are
"""
