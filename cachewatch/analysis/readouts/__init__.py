"""The parts of a before/after readout: hours, curves, intervals, checks, controls, words."""
