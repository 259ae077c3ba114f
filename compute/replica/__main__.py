"""`python -m compute.replica`: a replica process, in the form the environment starts."""

import sys

from compute.replica.process.start import main

if __name__ == "__main__":
    main(sys.argv[1:])
