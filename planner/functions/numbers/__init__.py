"""Functions of numbers and bits: arithmetic, mathematics, numbers by templates, random values.

decimals          how numeric results are held: exactly, rounded where PostgreSQL rounds, or not at all (22003)
float_math        arithmetic and mathematics of float4 and float8
number_layout     how a number's digits and signs take the places of a template of to_char
number_templates  to_char of numbers and to_number: templates of 9 0 . , D G S MI PL SG PR V TH L FM, and RN
numeric_math      arithmetic and mathematics of numeric
random_values     what differs each time it is asked
sampling          which rows TABLESAMPLE takes
shown_scales      with how many decimals results are shown, where that is known when a statement is planned
unsigned          uint2, uint4 and uint8, Materialize's: arithmetic and bits, exact or 22003, and casts among numbers
wide              functions of numerics that collections hold as bytes: twins of numeric's
"""
