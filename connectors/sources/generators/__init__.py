"""Load generators: upstreams computed by arithmetic, which can be read again from any offset.

reader     what is due, by the clock kinds      the generators by name steps      what each has to be able to do counter
whole numbers from 1
auction     AUCTION: an auction house, with ten bids per auction; organizations, users and accounts are fixed
key_value   KEY VALUE: keys whose values are replaced, round by round
marketing   MARKETING: customers see advertisements, some click, some become leads, get coupons, and some leads buy
moments     moments in the generators' own time, which begins with the year 2026 and advances with their steps
nexmark     NEXMARK: persons, auctions and bids of an auction site
randomness  pseudo-random numbers computed from a seed, a purpose and a number
tpch        TPCH: the eight tables of the benchmark at a scale factor, and refreshes
tpch_rows   the rows of TPC-H's tables, each a function of the seed and its number; an order's, of its version, too
"""
