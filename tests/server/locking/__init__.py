"""Tests of locks on rows and tables by themselves."""
