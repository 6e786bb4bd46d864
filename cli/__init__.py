"""The command line: a thin shell over the library."""

VERSION = "0.1.0"
