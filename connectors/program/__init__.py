"""Programs of users, which write what they are told.

connector  describes the system
driver     runs a program as a driver
"""
