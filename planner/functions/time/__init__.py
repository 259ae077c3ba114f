"""Functions of dates, times and intervals, and their templates."""
