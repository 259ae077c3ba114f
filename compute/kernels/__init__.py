"""The stateful steps of maintained dataflows, as pure functions over arrangements.

They know no expressions: only hashes, keys, times, diffs and sums.

The caller inserts the change of a tick into each arrangement, once, however many steps share it. A kernel only reads:
what was inserted since the last seal is the change, what was sealed is what was there before. It gives an iterator of
chunks, of bounded rows however skewed the keys, to be used up before the caller seals all arrangements, or discards.

join         pairs with equal keys
accumulate   sums of integers a key
versions     the rows of each touched group, as they were before the tick and at each time of it
prefixes     of the same only the first rows, for what depends on no others
threshold    rows that count more than zero
delay        updates whose time has come
"""
