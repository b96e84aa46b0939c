"""The embedded default: real Postgres and Valkey from wheels, and the process that runs everything."""
