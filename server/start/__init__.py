"""The start of a server, and its end.

serve         the server process, from start to a clean end
formats       whether the server can read what it is to take over
bootstrap     start-up in the order that safety needs
resuming      dataflows of an earlier life
standing_by   what a server answers while another one leads
understudy    replicas of a standby, beside those of the leader
turn          a turn of leading: an environment, and its lease until all of it has ended
entrance      addresses, passwords, rules and certificates for clients, checked before any change
replica_places  where the replicas of a server run
places        address, data directory, consensus and blob, checked before any change
measured_calls  calls of consensus, blob and replicas, measured for /metrics
command_line  secrets of the command line, hidden
restore_command  `headwater restore`
restored_system  what is restored of a backup: its shards, and the catalog as a copy's
key_command   `headwater rotate-secrets-key`
"""
