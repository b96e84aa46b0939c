"""A log of requests between its import and its analysis: rows to arrays, counts, the document."""
