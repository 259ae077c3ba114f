"""Nexmark: an auction site's persons, auctions and bids, and the questions that its suite asks of them.

events      the generator, from a seed
queries     each question once, for Headwater and for DuckDB
"""
