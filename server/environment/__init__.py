"""The environment: all parts that a statement may need, in one place.

environment  the class of all parts, and the tasks that keep the parts going
"""
