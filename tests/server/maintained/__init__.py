"""Tests of what keeps indexes and materialized views, part by part."""
