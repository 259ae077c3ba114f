"""Tests of the timeline room."""
