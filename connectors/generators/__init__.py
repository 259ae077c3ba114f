"""Load generators: upstreams computed by arithmetic, which can be read again from any offset.

auction     AUCTION: an auction house, with ten bids per auction; organizations, users and accounts are fixed
connector   describes generators as sources
counter     COUNTER: whole numbers from 1
key_value   KEY VALUE: keys whose values are replaced, round by round
kinds       names the generators
marketing   MARKETING: customers see advertisements, some click, some become leads, get coupons, and some leads buy
moments     moments in the generators' own time, which begins with the year 2026 and advances with their steps
nexmark     NEXMARK: persons, auctions and bids of an auction site
randomness  pseudo-random numbers computed from a seed, a purpose and a number
reader      reads what is due, by the clock
steps       the interface of a generator
tpch        TPCH: the eight tables of the benchmark at a scale factor, and refreshes
tpch_rows   the rows of TPC-H's tables, each a function of the seed and its number; an order's, of its version, too
"""
