"""A usage API one can run, served from a mechanistic fleet of machines.

`command.main` is the only entry. The core (seeding, load, workload, arrivals, requests, fleet,
service) knows nothing of HTTP and can be run alone: `service.hourly_usage` gives a workload's
hours, and with `one_machine=True` the counterfactual of the same requests on one ideal machine.
"""
