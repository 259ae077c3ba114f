"""Large views by tasks of Spark.

hydration   hydrations and large ticks, narrow and wide: python -m benchmarks.by_tasks.hydration
wide_ticks  memory, executors and small ticks as measures, and lookups in state that is not in the cache
"""
