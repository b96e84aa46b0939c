"""What the product costs, each figure as a ratio to a stated reference measured in the same run.

`python -m bench PART ...` prints JSON: the raw seconds of every run, wall and processor, their
medians and the ratio. docs/performance.md holds the tables made from it.
"""
