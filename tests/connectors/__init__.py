"""Sources and sinks against real systems and modelled ones."""
