"""The environment: all parts that a statement may need, in one place.

environment  the class of all parts, and the tasks that keep the parts going
parts        groups of parts that belong together: clients, locks, options, what lies outside, what was observed
processes    memory and processor time of processes, as the system tells them
sampling     takes a sample of lags, statistics and replicas each minute
"""
