"""Tests of planner/sql."""
