"""Drivers' own test suites against Headwater, with PostgreSQL as the baseline: python -m tools.conformance [SUITE …].

suites      what is run: the packages, the tests, what each suite must be told
cache       environments and unpacked sources, in the user's cache folder
recorder    a pytest plugin and a Django runner that write down each test's outcome; runs beside the suites
run         one suite against one server
comparison  what Headwater passes of what PostgreSQL passes, and the rest by error
"""
