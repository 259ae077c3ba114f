"""What upstream has beyond what is bound, when that is much: cut into ranges, which tasks read, decode and stage.

range_task     what one task does
ahead          which ranges are under way, and which is bound next
spark_ranges   tasks of Spark
secret_door    how these come by secrets
"""
