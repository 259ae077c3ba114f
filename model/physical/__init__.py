"""The physical form of datums in Arrow, Parquet and Spark.

columns  one physical type for each SQL type; rows to Arrow and back
conforming  rows stored for some columns, as rows of the present columns
arrays   arrays: a struct of the elements and the shape
wide_times  dates and moments beyond Python's calendar
wide_numerics  numerics of more digits than decimals hold: bytes that sort as they do
maps     maps: a list of keys and values
shown_numerics  numerics as texts with the decimals that stand beside them
ranges   ranges: a struct that sorts as PostgreSQL sorts ranges
"""
