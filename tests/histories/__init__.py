"""Histories of transactions that append to lists and read them whole, and what no order of them explains.

list_append     the checker: pure, of what clients did and were told
cycles          a graph whose edges are of several kinds, and the least kind of cycle in it
clients         threads that make such a history on a running server
"""
