"""The parts of the benchmark that judge: what they call right must be right."""
