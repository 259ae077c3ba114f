"""State that is kept in blob, with a manifest in consensus: what the local disk holds of it is a cache.

states    the states of a replica: which process owns them, how they are opened and deleted
batches   files of batches as objects of blob: one for each block, one for the footer
block_pieces  divides a block into pieces, and says which of them a lookup needs; kept_pieces has some in memory
cache     a folder of blocks and pieces, bounded by bytes, which may be lost at any time
manifest  the manifest as a key of consensus
copying   copies the state that another replica goes on with
calls     waits for coroutines in threads that have other things to do than run a loop
key_door  where tasks ask for the keys of blob
remote_place  the same state, as tasks of its owner reach it
"""
