"""Sources, ingested: read from upstream, bound to a time, written, all in one step."""
