"""Sources in statements and commits: shards, and the ingestions that write them."""
