"""A usage API one can run, served from a mechanistic fleet of machines.

`command.main` is the only entry. The core (seeding, load, workload, arrivals, requests, fleet,
service) knows nothing of HTTP and can be run alone: `service.arrived(...)` gives the requests of a
workload's hours, its `hourly_usage()` what the fleet makes of them, and `hourly_usage(one_machine=
True)` the counterfactual of the same requests on one ideal machine.
"""
