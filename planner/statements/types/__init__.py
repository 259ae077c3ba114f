"""Statements that define types: domains, enumerations, composites.

composite_type  CREATE TYPE … AS (…), ALTER TYPE … ADD, DROP, ALTER and RENAME ATTRIBUTE
domain          CREATE DOMAIN, ALTER DOMAIN
range_type      CREATE TYPE … AS RANGE
enum_type       CREATE TYPE … AS ENUM, ALTER TYPE … ADD VALUE and RENAME VALUE
"""
