"""Tells the progress of Spark's jobs from Spark's status store, which running tasks update every few seconds."""

from __future__ import annotations

from typing import Any

from pyspark import SparkContext


def has_jobs(context: SparkContext, tag: str) -> bool:
    """Returns whether a job with the tag is running."""
    spark: Any = context._jsc.sc()
    tracker = spark.statusTracker()
    jobs = [info.get() for info in map(tracker.getJobInfo, tracker.getJobIdsForTag(tag)) if info.isDefined()]
    return any(str(job.status()) == "RUNNING" for job in jobs)


def has_executors(context: SparkContext) -> bool:
    """Returns whether there is any executor; in a local session the driver is one."""
    master = context.master or ""
    if master.startswith("local") and not master.startswith("local-cluster"):
        return True
    spark: Any = context._jsc.sc()
    return int(spark.getExecutorMemoryStatus().size()) > 1


def records_read(context: SparkContext, tag: str) -> int:
    """Returns the number of rows that running stages of jobs with the tag have read from files."""
    spark: Any = context._jsc.sc()
    tracker = spark.statusTracker()
    jobs = [info.get() for info in map(tracker.getJobInfo, tracker.getJobIdsForTag(tag)) if info.isDefined()]
    wanted = {stage for job in jobs for stage in job.stageIds()}
    stages = spark.statusStore().activeStages()
    running = [stages.apply(at) for at in range(stages.size())]
    return sum(int(stage.inputRecords()) for stage in running if stage.stageId() in wanted)
