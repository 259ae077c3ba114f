"""The door of programs that ask on their own, by the Model Context Protocol over HTTP.

messages         JSON-RPC 2.0: what arrives, and what is answered
requests         answers POST /api/mcp/agent and /api/mcp/developer
tools            the tools of each door: names, arguments, what each does
arguments        arguments of tools, checked
products         statements about data products: list, details, reads by key
asking           one session for one call, without effects but writes
limited_answer   rows within limits of number and size
changes          the rows that a transaction would change
held_writes      transactions that wait for a second call to commit
"""
