"""Calls of users' functions.

functions  calls of users' functions, which become their queries
bodies     the bodies of users' functions, planned as values and as rows
"""
