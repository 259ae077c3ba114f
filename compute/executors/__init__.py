"""One step's part in a wide tick, as tasks do it: in other processes, without Spark's session, by plain data alone.

step_task  the work of one task on one partition: sorts rows into a file, runs the kernel, answers with names and counts
own_code   refuses tasks of other code than the executor has
task_pool  who runs the tasks of a step, and which attempt at each is the one that counts

Tasks open files themselves. No row of state goes from a task to the driver, nor from the driver to a task.
"""
