"""Sources as statements and commits have them: their shards, and the ingestions that write these."""
