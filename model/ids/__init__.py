"""Names of collections, and of what SQL texts mean.

global_id     the name of a collection for ever
written_text  a part of a statement as it was written, in which names of others are marked
"""
