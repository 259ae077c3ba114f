"""The tests, beside the rooms they mirror; README.md says what each folder holds and how to run one."""
