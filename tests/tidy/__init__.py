"""Style as tests: what a reviewer would say twice, a test says for ever."""
