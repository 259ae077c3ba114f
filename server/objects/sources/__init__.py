"""Sources as commits have them.

ingestions  the ingestions that write sources' shards
commits     ingestions of a commit's changes
left_slots  drops replication slots that dropped sources have left
"""
