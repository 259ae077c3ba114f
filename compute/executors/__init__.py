"""One step's part in a wide tick, as tasks do it: in other processes, without Spark's session, by plain data alone.

step_task    the work of one task on one partition: sorts rows into a file, and runs the kernel
export_task  the same for what a tick exports: writes files of indexes, and parts of shards
read_task    the same for a whole read of an arrangement
task_rows    the rows of a task as they come, while its tick goes on
task_done    the answers of tasks: names and counts
own_code     refuses tasks of other code than the executor has
task_pool    who runs the tasks of a step, and which attempt at each is the one that counts

Tasks open files themselves. No row of state goes from a task to the driver, nor from the driver to a task.
"""
