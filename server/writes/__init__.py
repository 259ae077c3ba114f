"""Writes: checked and staged as they come, made durable by the transaction's commit.

writing       rows on their way into tables
constraints/  what tables demand of their rows
locking/      locks on rows and tables
committing    a transaction's commit as one request to the group commit
preparing     two-phase commit: transactions that outlive their session
retractions   whether rows that a transaction takes away are there
rebuilding    dataflows that a commit makes anew
temporary     the ends of temporary relations
"""
