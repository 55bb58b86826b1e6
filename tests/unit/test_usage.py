"""What a command used, in the last line of its log."""

import pytest

from scarce.cli import main
from scarce.usage import Usage, read_usage, usage


def test_a_log_says_what_was_written_to_it(tmp_path):
    log, used = tmp_path / "a.log", Usage(1.25, 20.5, 153, 1210)
    log.write_text(f"# scarce fit\na warning\n{used}", encoding="utf-8")
    assert read_usage(log) == used


@pytest.mark.parametrize("text", ["", "# scarce fit\n", f"{Usage(1, 2, 3, 4)}more\n", f"x{Usage(1, 2, 3, 4)}"])
def test_a_log_whose_last_line_is_another_says_nothing(tmp_path, text):
    (tmp_path / "a.log").write_text(text, encoding="utf-8")
    assert read_usage(tmp_path / "a.log") is None


def test_a_log_that_is_not_there_says_nothing(tmp_path):
    assert read_usage(tmp_path / "a.log") is None


@pytest.mark.parametrize("command", [["list", "metrics"], ["status", "nosuch"]], ids=["done", "refused"])
def test_every_command_with_a_log_leaves_its_usage_there(configured, capsys, command):
    before = usage()
    main([*command, "--log", "logs/a.log"])
    used = read_usage(configured / "logs/a.log")
    assert used.cpu >= round(before.cpu, 2)
    assert used.peak >= round(before.peak)
