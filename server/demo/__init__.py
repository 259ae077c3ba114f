"""`headwater demo`: a tour on real data, 336,776 flights that left New York in 2013; or one over PostgreSQL.

flights     the data, its tables and views, and the questions asked of them
server      the server as a process, which the tour starts, kills and starts again
tour        the scenes of the first act, one after another
arrivals    the scenes of the second act: flights that arrive through Kafka
broker      the Kafka broker of the second act
deliveries  the scenes of the third act: a view goes out to PostgreSQL and to Parquet files
mirror      the other tour: a PostgreSQL database is mirrored
postgres    the PostgreSQL server: mirrored by the other tour, written to in the third act
show        results and headings for a person's eyes
"""
