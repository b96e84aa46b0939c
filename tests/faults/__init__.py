"""What happens when something breaks: the provider, a process, the database, the disk, the network.

Each test breaks one thing, lets the product go on, and compares what is stored with a run that
nothing disturbed, row by row. docs/reliability.md says which fault is tested where.
"""
