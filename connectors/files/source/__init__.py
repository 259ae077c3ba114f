"""Files as sources: a file is a partition, and its gauge is a byte offset.

arrow_values     converts Arrow's values of any type to the types of columns
bounded_parquet  reads Parquet files in steps whose decoded size is bounded
bucket_space     finds the objects of a bucket, by listing it, by the notifications of a queue, or both
directory_space  finds files of the server by a pattern of paths; other programs may be writing to them
fetched_ahead    fetches small objects while earlier ones are read: a request takes longer than reading
first_columns    finds the columns of files, from the first file
framing          finds where the records of a file begin and end
headers          reads the headers of CSV files, and finds the places of a source's fields in each file
key_pattern      matches a bucket's keys with a pattern, segment by segment, as paths are matched
notes            notes on files in the remap collection, beside how far each file is read
notifications    receives notifications of new objects of a bucket from a queue
parquet_columns  turns columns of Parquet files into columns of SQL
reader           reads files in a separate thread, looking for new files again and again
space            the interface of a place with files: a directory of the server, or a bucket
whole_files      reads some Parquet files one after the other, a few rows at a time, in the thread that takes them
whole_parquet    reads a Parquet file completely: checks the contents, and returns the added rows
"""
