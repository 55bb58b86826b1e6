"""Findings outlive a process, and count for no other content and no other code than theirs."""

import pytest

from scarce.kept_findings import Findings


@pytest.fixture
def look(tmp_path):
    """Asks as a new process for the length of a content; says the answer, and whether the content was looked at."""
    finder = tmp_path / "finder.py"
    finder.write_text("len")

    def look(content: bytes, name: str = "a.py") -> tuple[list, bool]:
        findings, looked = Findings(tmp_path / "kept/findings.json", finder), []
        answer = findings.of(name, content, lambda: looked.append(1) or [len(content)])
        findings.keep()
        return answer, bool(looked)

    look.finder, look.file = finder, tmp_path / "kept/findings.json"
    return look


def test_a_content_is_looked_at_once(look):
    assert look(b"abc") == ([3], True)
    assert look(b"abc") == ([3], False)
    assert look(b"abc", "b.py") == ([3], True)
    assert look(b"abc") == ([3], False), "the other name took nothing away"


def test_another_content_or_another_code_is_looked_at_again(look):
    look(b"abc")
    assert look(b"abcd") == ([4], True)
    look.finder.write_text("len, but otherwise")
    assert look(b"abcd") == ([4], True)


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b"\xff", b'{"finder": 1}'])
def test_a_damaged_file_costs_no_answer(look, damage):
    look(b"abc")
    look.file.write_bytes(damage)
    assert look(b"abc") == ([3], True)
    assert look(b"abc") == ([3], False)


def test_where_nothing_can_be_written_every_process_looks(look):
    look.file.parent.write_text("a file in the place of the folder")
    assert look(b"abc") == look(b"abc") == ([3], True)
