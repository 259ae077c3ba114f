"""Functions of numbers and bits: arithmetic, mathematics, numbers by templates, random values."""
