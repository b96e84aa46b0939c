"""How often before/after readouts say the right word: fleets in which a repair of known effect ships.

Every fleet is served twice, request by request: as it happened, and with the repair left out while
everything else (traffic, prompts, model, provider) stays. The difference of the shares after the
marker is the truth. `python -m tests.accuracy.rollouts` prints the tables.
"""
