"""System relations: fixed ids and descs, with contents computed from a SystemSnapshot when they are read."""
