"""A SparkSession from nothing but pip.

java        which Java runs, and what that Java needs to be told
launch      the JVM: started directly, dies with its parent
session     the session: its settings, and the two profiles for small and for large work
"""
