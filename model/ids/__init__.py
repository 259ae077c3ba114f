"""Ids of collections, and texts of SQL with marked names.

cluster_id    the id of the first cluster
global_id     the name of a collection for ever
written_text  a part of a statement as it was written, in which names of others are marked
"""
