"""What every game must keep (replay/testing/conformance.py)."""

from replay.testing import adopt, conformance

adopt(globals(), conformance)
