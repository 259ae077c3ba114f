"""Statements that define types: domains, enumerations, composites.

composite_type  CREATE TYPE … AS (…)
domain          CREATE DOMAIN, ALTER DOMAIN
enum_type       CREATE TYPE … AS ENUM, ALTER TYPE … ADD VALUE and RENAME VALUE
"""
