"""Writes: checked and staged statement by statement, made durable by the transaction's commit.

writing       rows on their way into tables
unstorable    numerics that columns don't hold
constraints/  CHECK, NOT NULL, keys and foreign keys of tables
locking/      locks on rows and tables
committing    a transaction's commit as one request to the group commit
preparing     two-phase commit: transactions that outlive their session
retractions   checks that retracted rows exist
rebuilding    dataflows that a commit makes anew
temporary     the ends of temporary relations
"""
