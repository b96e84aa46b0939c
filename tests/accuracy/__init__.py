"""How often the diagnosis is right: labelled fleets with known causes, judged and scored.

A family is one cause with random parameters; a series is one draw of it, served request by
request by the simulator's machines. What is true about it comes from serving the same requests
again without the cause in question (truth.py), never from a rule. `python -m tests.accuracy`
prints the tables.
"""
