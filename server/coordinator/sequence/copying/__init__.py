"""COPY: rows from and to clients, files of the server's, and objects of buckets."""
