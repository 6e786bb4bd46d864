"""The command line: a thin layer over the library."""

VERSION = "0.1.0"


def version_line() -> str:
    """The name and the version, `kibitz 0.1.0`. It ends in `(compiled)` if the rules were compiled by mypyc."""
    import os

    # A look at the names of files: the rules themselves take longer to load than the answer may take.
    folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), "reducers")
    compiled = any(name.startswith("table.") and name.endswith((".so", ".pyd")) for name in os.listdir(folder))
    return f"kibitz {VERSION} (compiled)" if compiled else f"kibitz {VERSION}"
