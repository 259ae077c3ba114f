"""Sources in statements and commits: shards, and the ingestions that write them.

added_tables  statements that add tables to a source: looks the source up, and asks upstream for its present tables
answers       statements that are planned with answers from other systems
first_files   statements about files that contain their own columns
left_slots    replication slots of dropped sources: dropped once their servers allow it
publications  statements that read a publication
reads         guards reads of sources by transactions that write
schemas       statements that leave schemas to registries: these are asked, and the statement planned with the answers
topics        identifies the topic of a source, asked of its brokers at creation
"""
