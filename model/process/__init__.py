"""The processes of this server, as programs that start others.

children    command lines and environments of the processes that it starts
redaction   texts that are shown, without the secrets that it has opened
collecting  when Python looks for cycles
addresses   the form of HOST:PORT
"""
