"""Arrangements: updates sorted by the hash of their key in immutable batches, so that a key is found without a scan.

  layout       the columns of an arrangement
  arrangement  insert, seal, discard, look up, read as of a time; recent keeps the contents of recent reads
  spine        decides which batches to merge, and when; merge does one merge, a step at a time
  stream       several batches as one stream of sorted, consolidated chunks of bounded rows
  sorting      sorts and consolidates one chunk; equality compares stored values
  partition    divides hashes into contiguous ranges: files of neighbours are one batch
  batch        a sorted run of blocks; search finds probes, prefix the first rows of keys, key_prefix beginnings of keys
  batch_file   a batch as a file, mapped into memory; batch_footer says where its blocks lie; only disk touches a file
               system
  stores       what keeps files and the manifest, as Protocols: batch_file and manifest_file do so in a directory
  blob         the same in blob and consensus, so that the disk is a cache
  manifest     the list of files that make up a dataflow's state; checkpoint writes and opens them
  copying      takes over a copy of the state that another process goes on with

Neither Spark nor clocks: numpy, pyarrow, files, and the two places of storage.
"""
