"""Values on the wire, in text and binary format.

dispatch                             sender and receiver of a type in a format
numbers, strings, times, containers  PostgreSQL's send and receive functions, by family
lists                                lists and maps, which Materialize sends as text only
data_rows                            batches of rows as DataRow messages
failures                             the errors of PostgreSQL's receive functions
networks                             inet and cidr in binary format
embeddings                           vectors in binary format
shapes                               points, boxes, segments and circles in binary format
searches                             tsvector and tsquery in binary format
encoded_ranges                       ranges and multiranges in binary format
"""
