"""The text form of addresses of networks and of machines in them.

networks       inet and cidr in text: `10.1.2.3/8`, `2001:db8::1`, cidr's `10.1` too, in and out
mac_addresses  macaddr and macaddr8 in text
"""
