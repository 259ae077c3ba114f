"""Indexes and materialized views: from the catalog's word to the controller's.

collections   which collections there are, and how they are read
description   a dataflow as the replica is told
dataflows     dataflows that run, by number
dataflow_words  dataflows in words: the arrangements, and what is recomputed at each change
as_of         the time that a dataflow begins at
commits       dataflows of a commit's changes
redefined     dataflows of a changed definition
statuses      how dataflows do
known_rows    rows that an index returned for one key, kept for the next question
"""
