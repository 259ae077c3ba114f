"""Drivers' own test suites against Headwater, with PostgreSQL as the baseline: python -m tools.conformance [SUITE …].

suites      what is run: the packages, the tests, what each suite must be told
cache       environments and unpacked sources, in the user's cache folder
recorder    writes down each test's outcome, as a plugin of pytest; runs beside the suite
django_recorder  the same as Django's test runner
run         one suite against one server
comparison  what Headwater passes of what PostgreSQL passes, and the rest by error
"""
