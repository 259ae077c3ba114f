"""Tests of what tables demand of their rows, part by part."""
