"""Peeks: one answer from end to end.

peek            snapshots, inputs, plan, rows in chunks
prepared_peeks  peeks over a few rows, answered without a job
lifting         takes constants out of plans, so that plans become one plan
arranged        an index's rows as an input of a plan
index_peeks     answers from an index alone
finishing       order, offset and limit of such answers
pieces          an answer as pieces of a file
"""
