"""The operators by which views are maintained, one a file: meaning, inputs, arrangements, and words for EXPLAIN.
Steps are plans alone: the work in a tick is done by the stage of the same name in `stages/`.

accumulate      for each key with changed sums: retracts the answer before, and asserts the answer after
delay           emits an update in the tick that covers its time, unless retracted before
group           for each changed group: retracts the operator's former answer, and asserts the new answer
join            joins of two inputs: d(L ⋈ R) = dL ⋈ R before + L after ⋈ dR
operator_names  names SQL operators for messages about recomputation over all rows
parts           the vocabulary of steps: keyed segments, their arrangements, and words of EXPLAIN
prefix          finds operators that need only the first rows of groups: ordered limits, and least or greatest values
recompute       retracts and asserts whole answers, at each time at which an input changes
threshold       emits each row max(n, 0) times, where n is the number of equal rows in the input
"""
