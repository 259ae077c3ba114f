"""The values of full text search: tsvector, the lexemes of a document, and tsquery, a condition on them.

checksums       the checksum by which lexemes are ordered
configurations  the configurations' names and oids
queries         a tsquery as a tree, and as bytes
query_text      a tsquery as text, in and out
vectors         a tsvector as entries, and as bytes
vector_text     a tsvector as text, in and out
words           words in the texts of both
"""
