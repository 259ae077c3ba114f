"""The stateful steps of maintained dataflows, as pure functions over arrangements.

Kernels know no expressions: only hashes, keys, times, diffs and sums.

The caller inserts the change of a tick into each arrangement once, however many steps share it. A kernel only reads:
updates since the last seal are the change, sealed updates the contents before. A kernel returns an iterator of chunks,
of bounded rows however skewed the keys, to be used up before the caller seals all arrangements, or discards.

  join         pairs with equal keys
  accumulate   sums of integers a key
  versions     the rows of each touched group, before the tick and at each time of it
  prefixes     only the first rows of each touched group
  threshold    rows that count more than zero
  delay        updates whose time has come
  rares        floats without limbs, kept apart from their groups' sums: too large, too fine, or not finite

by_partition  the kernels that work on one range of hashes as well as on all, as plain data that tasks are sent
groups  the groups that a tick touches: their keys, their changes, and their rows before
"""
