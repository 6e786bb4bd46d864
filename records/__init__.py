"""The log: matches stored, appended to, imported and exported. Knows no rules."""

from records.faults import SealedError, StaleWriterError
from records.store import (
    HOME,
    Adopted,
    Appended,
    BookRow,
    MatchRow,
    Placed,
    Store,
    default_path,
    new_match_id,
)
from records.transfer import (
    Imported,
    Loaded,
    export_jsonl,
    export_kib,
    import_file,
    import_loaded,
    import_records,
    load_file,
)

__all__ = [
    "HOME",
    "Adopted",
    "Appended",
    "BookRow",
    "Placed",
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
    "new_match_id",
]
