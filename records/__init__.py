"""The log: matches stored, appended to, imported and exported. Knows no rules.

Names are imported on first use, so that a program that only reads a file does not wait for the store.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from records.errors import SealedError, StaleWriterError
    from records.files import Loaded, export_jsonl, export_kib, load_file, load_files
    from records.names import new_match_id
    from records.rows import HOME, Adopted, Appended, BookEvent, BookRow, MatchRow
    from records.store import Store, default_path
    from records.transfer import Imported, import_file, import_loaded, import_records

_WHERE = {
    "errors": ("SealedError", "StaleWriterError"),
    "files": ("Loaded", "export_jsonl", "export_kib", "load_file", "load_files"),
    "names": ("new_match_id",),
    "rows": ("HOME", "Adopted", "Appended", "BookRow", "BookEvent", "MatchRow"),
    "store": ("Store", "default_path"),
    "transfer": ("Imported", "import_file", "import_loaded", "import_records"),
}


def __getattr__(name: str) -> Any:
    for module, names in _WHERE.items():
        if name in names:
            return getattr(import_module(f"records.{module}"), name)
    raise AttributeError(f"module 'records' has no attribute {name!r}")


__all__ = [
    "HOME",
    "Adopted",
    "Appended",
    "BookEvent",
    "BookRow",
    "Imported",
    "Loaded",
    "MatchRow",
    "SealedError",
    "StaleWriterError",
    "Store",
    "default_path",
    "export_jsonl",
    "export_kib",
    "import_file",
    "import_loaded",
    "import_records",
    "load_file",
    "load_files",
    "new_match_id",
]
