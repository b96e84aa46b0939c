"""A small trial of the prompt cache: which requests to send, and what their reads mean."""
