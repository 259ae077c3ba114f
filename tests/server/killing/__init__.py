"""Tests of processes that are killed while clients go on."""
