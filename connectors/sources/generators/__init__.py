"""Load generators: upstreams computed by arithmetic, which can be read again from any offset.

reader     what is due, by the clock kinds      the generators by name steps      what each has to be able to do counter
whole numbers from 1
"""
