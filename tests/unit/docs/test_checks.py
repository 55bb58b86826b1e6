"""What the checks of the built site find, and what they let pass."""

from __future__ import annotations

import pytest

from docs.builder.checks import elsewhere, main, problems

GOOD = """<html><head><link rel="stylesheet" href="style.css"><link rel="canonical" href="https://a.org/"></head>
<body id="top"><a href="#top">up</a> <a href="sub/other.html#here">there</a> <a href="https://a.org/b">out</a>
<img src="data:image/png;base64,AA==" alt="a picture"></body></html>"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "style.css").write_text("p { background: url(data:image/png;base64,AA==) }")
    (tmp_path / "index.html").write_text(GOOD)
    (tmp_path / "sub/other.html").write_text('<p id="here"><a href="../index.html">back</a></p>')
    return tmp_path


def test_a_good_site_has_no_problem_and_its_links_elsewhere_are_listed(site, capsys):
    assert problems(site) == []
    assert elsewhere(site) == ["https://a.org/b"]
    assert main([str(site)]) == 0
    assert "https://a.org/b" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<a href="gone.html">a</a>', "gone.html"),
        ('<a href="sub/other.html#gone">a</a>', "#gone"),
        ('<a href="#gone">a</a>', "#gone"),
        ('<img src="gone.png" alt="a">', "gone.png"),
        ('<img src="style.css">', "without a text"),
        ('<img src="style.css" alt=" ">', "without a text"),
        ('<img src="//a.org/b.png" alt="a">', "//a.org/b.png"),
        ('<script src="https://a.org/b.js"></script>', "https://a.org/b.js"),
        ('<link rel="stylesheet" href="https://a.org/b.css">', "https://a.org/b.css"),
        ('<link rel="preconnect" href="https://a.org/">', "https://a.org/"),
        ("<style>@import 'https://a.org/b.css';</style>", "https://a.org/b.css"),
        ('<p style="background: url(https://a.org/b.png)">a</p>', "https://a.org/b.png"),
    ],
)
def test_a_fault_is_found(site, html, found, capsys):
    (site / "bad.html").write_text(html)
    (line,) = problems(site)
    assert line.startswith("bad.html: ")
    assert found in line
    assert main([str(site)]) == 1
    assert line in capsys.readouterr().out


def test_a_style_sheet_may_load_nothing_from_elsewhere(site):
    (site / "style.css").write_text("@font-face { src: url('https://a.org/font.woff2') }")
    assert problems(site) == ["style.css: loads https://a.org/font.woff2"]


def test_an_empty_folder_is_no_site(tmp_path):
    assert problems(tmp_path)
