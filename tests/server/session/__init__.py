"""Tests of sessions, part by part."""
