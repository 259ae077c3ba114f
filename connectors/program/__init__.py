"""Programs of users, which write what they are told.

driver  runs a program as a driver
"""
