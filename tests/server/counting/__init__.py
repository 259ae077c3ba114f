"""Tests of how sequences count."""
