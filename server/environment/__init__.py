"""The environment: all parts that a statement may need, in one place.

environment  these parts, and the tasks that keep them going
"""
