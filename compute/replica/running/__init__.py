"""Parts that peeks, dataflows, ingestions and sinks share while they run.

places           consensus, blob, the fence, time, threads
reporter         frontiers, statuses and measures, as often as the environment can use them
watch            how far the collections are complete that are read
shell            begins the work of a runner, and begins it anew after failures
shard_writer     writes to one shard under the fence
shard_commits    writes of many views in one step
joined_bindings  writes of many ingestions in one step
joined_queue     what both have in common: items that come during a step go together in the next
secret_values    secrets, opened where they are needed
reconcile        chooses the running dataflows that a new environment goes on with
worker           work on Spark in threads: several pieces at once, each can be stopped
supervision      ends unwanted work inside Java, and tells of work that does not end
standstill       how long a call of Java takes, in the processor's time
java_calls       the threads of Java
cache            the most recently used values
failures         failures on Spark in PostgreSQL's fields
"""
