"""Statements about secrets and connections.

access_objects  DROP, ALTER … RENAME and COMMENT ON of secrets, connections and sinks, which are alike for all
"""
