"""The stateful steps of maintained dataflows, as pure functions over arrangements.

They know no expressions: only hashes, keys, times, diffs and sums.

Each kernel takes an arrangement and the change of this tick, inserts the change provisionally, all of it, before it
returns, and gives an iterator of chunks that only reads. A change that another step of the tick has inserted already is
not given again: pass (). The caller seals all arrangements when the tick has succeeded, or discards.

join         pairs with equal keys
accumulate   sums of integers a key
versions     the rows of each touched group, as they were before the tick and at each time of it
threshold    rows that count more than zero
delay        updates whose time has come
"""
