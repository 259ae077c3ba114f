"""`headwater demo`: a tour on real data, 336,776 flights that left New York in 2013; or one over PostgreSQL.

flights     the data, its tables and views, and the questions asked of them
server      the server as a process that the tour starts, kills and starts again
tour        the scenes of the first act, one after another
arrivals    those of the second: flights that arrive through Kafka
broker      the broker that they come through
deliveries  those of the third: a view goes out to PostgreSQL and to Parquet files
mirror      the other tour: a PostgreSQL database is mirrored
postgres    the PostgreSQL server that it mirrors, and that the third act writes to
show        results and headings for a person's eyes
"""
