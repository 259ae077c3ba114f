"""`python -m compute.replica`: a replica process, as the environment starts it."""

import sys

from compute.replica.start import main

if __name__ == "__main__":
    main(sys.argv[1:])
