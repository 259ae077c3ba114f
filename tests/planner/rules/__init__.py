"""Tests of planner/rules."""
