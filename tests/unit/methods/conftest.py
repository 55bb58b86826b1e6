"""Lets the tests here import the checks that every method passes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "contract"))
