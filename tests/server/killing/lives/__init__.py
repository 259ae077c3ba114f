"""What lives on the server of `test_world_of_kills.py`, each in a database of its own.

life       what the test asks of each of these, and the clients of one
sequences  values of a sequence, none of which is given twice
consumers  subscriptions that come back where their read holds are
lines      lines of files, and of objects in a bucket
left_slot  a replication slot that was left behind, of an upstream that is away
copies     COPY to a file and to a bucket
"""
