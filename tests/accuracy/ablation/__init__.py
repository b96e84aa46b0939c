"""What each rule of the diagnosis buys: the rules in force with one change at a time.

`python -m tests.accuracy.ablation` prints the table of docs/accuracy.md.
"""
