"""One cause a file: `claim` looks at the misses that are still open and takes those it explains."""
