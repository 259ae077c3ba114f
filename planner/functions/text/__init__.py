"""Functions of text and bytes: characters, patterns, quoting, encodings, digests."""
