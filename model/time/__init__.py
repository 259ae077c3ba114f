"""Times of a timeline, frontiers of times, clocks, and rights to times.

timestamp     a point of a timeline's time
antichain     a frontier of times
capability    the durable right to read a collection from a frontier on, or to write it
clock         the only door to wall time, waiting and randomness
steady_clock  a clock that follows the wall clock as far as time itself has passed
backing_off   how long to wait before trying again what has failed
uninterrupted finishes work even when its caller is cancelled
"""
