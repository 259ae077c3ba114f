"""Other engines on W1 and W2, each in an environment and a process of its own.

environment            where they live, and why one can't be had
course                 what each of them is put through: load, apply changes, read; without any dependency
contest                starts them, checks their answers, compares
duckdb_recompute, postgresql_refresh, spark_recompute, spark_streaming, pathway_stream, flink_sql, pglite_ivm
"""
