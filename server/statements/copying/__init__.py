"""COPY: rows from and to clients, files of the server's, and objects of buckets.

bucket_place  objects of a bucket as COPY's source and target
copy_from     COPY t FROM STDIN: decodes rows from the wire, adds defaults for missing columns
wide_columns  goes on with COPY FROM where a column becomes wide
copy_options  converts COPY's options from the planner's form to the wire's
file_writers  writers of rows to one file, in one format
from_file     COPY … FROM a file or objects: reads data that otherwise comes over the wire
from_parquet  COPY t FROM 'file' (FORMAT PARQUET), or objects
json_blocks   reads many plain lines of JSON at once: Arrow finds the objects' values and reads most types
json_rows     rows from lines of JSON: one object each, with a column's value under the column's name
parts         COPY TO a name that ends in a slash
place_of      returns the place that a COPY names, if allowed
places        the places that COPY reads and writes: a file of the server, or objects of a bucket
to_file       COPY … TO a file or an object: in the formats of the wire, as Parquet, or as lines of JSON
"""
