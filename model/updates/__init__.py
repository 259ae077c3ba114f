"""Changes to a collection: (row, time, diff).

update       updates one by one, and as columns of Arrow
consolidate  updates of equal rows become one
"""
