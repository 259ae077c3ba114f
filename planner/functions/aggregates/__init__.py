"""Aggregates: functions of groups of rows, in which order never matters but where it is asked for."""
