"""Amazon's services, or what speaks like them: how a connection's options become a client of one."""
