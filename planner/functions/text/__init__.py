"""Functions of text and bytes: characters, patterns, quoting, encodings, digests.

bytea       bytea: lengths, pieces, bits; encodings and digests, of text too
extraction  Materialize's csv_extract and regexp_extract
hashing     hashes that Materialize has beside PostgreSQL's: by algorithm, checksums, Kafka's; UUIDs of names
pattern     LIKE, ILIKE, SIMILAR TO and the matching operators ~ ~* !~ !~*
regexp      regexp_match and its kin, and SUBSTRING by pattern
table_hashes  hashtext and hashtextextended, which applications make numbers of names with
unicode     Unicode's normal forms, escapes, and identifiers taken apart
"""
