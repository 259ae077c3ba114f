"""Rewrites of relations, one a file; each keeps the columns and the meaning. `pipeline` puts them in order."""
