"""What is known while a statement is planned: names, bindings, settings, and the drafts of what it becomes.

analysis    everything that planning a statement carries along
scope       which names mean which columns
"""
