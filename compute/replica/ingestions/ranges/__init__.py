"""Upstream far beyond the bound: cut into ranges that tasks read, decode and stage.

range_task     the work of one task
ahead          plans ranges, and picks the next range to bind
spark_ranges   tasks of Spark
secret_door    gives secrets to tasks
"""
