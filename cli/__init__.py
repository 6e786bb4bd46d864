"""The command line: a thin layer over the library."""

VERSION = "0.1.0"
