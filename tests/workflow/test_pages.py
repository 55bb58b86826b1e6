"""What `smoke` leaves to be looked at: LaTeX tables that compile, and a page that a browser shows without a network."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.conftest import BROWSER

pytestmark = pytest.mark.workflow

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--enable-logging=stderr"),
)
needs_browser = pytest.mark.skipif(not BROWSER, reason="needs chromium to open the report")
PHONE = 390


def opened(page: Path, profile: Path, *flags: str) -> tuple[str, list[str]]:
    """The page as a browser without a network makes it, and what stands on its console."""
    done = subprocess.run(
        [
            *(BROWSER, *FLAGS, *flags, f"--user-data-dir={profile}"),
            *("--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=5000", "--dump-dom", page.as_uri()),
        ],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=300,
        check=True,
    )
    return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE" in line]


class Elements(HTMLParser):
    """The elements of a page, each with its attributes."""

    def __init__(self, page: str):
        super().__init__()
        self.all: list[tuple[str, dict]] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.all.append((tag, dict(attrs)))

    def of(self, tag: str, **having: str) -> list[dict]:
        return [a for t, a in self.all if t == tag and all(text in (a.get(key) or "") for key, text in having.items())]


@pytest.fixture(scope="module")
def page(finished) -> Path:
    return finished.root / "results/smoke/report.html"


@pytest.fixture(scope="module")
def tables(finished) -> list[Path]:
    return sorted((finished.root / "results/smoke/tables").glob("*.tex"))


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")
def test_every_table_compiles_and_fits_the_page(tables, tmp_path):
    assert len(tables) == 6
    for table in tables:
        shutil.copy(table, tmp_path)
        (tmp_path / "page.tex").write_text(
            r"\documentclass{article}\usepackage[a4paper,margin=2.5cm]{geometry}\usepackage{booktabs}"
            rf"\begin{{document}}\input{{{table.name}}}\end{{document}}"
        )
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{table.name}:\n{done.stdout[-2000:]}"
        over = [float(points) for points in re.findall(r"Overfull \\[hv]box \((\d+\.?\d*)pt", done.stdout)]
        assert max(over, default=0) <= 20, f"{table.name} is {max(over)}pt too wide"


@needs_browser
def test_a_browser_shows_everything_without_a_word_on_its_console(finished, page, tables, tmp_path):
    content, console = opened(page, tmp_path / "profile")
    assert console == []
    shown = Elements(content)
    assert "<title>Smoke: every stage in about a minute, offline</title>" in content
    assert len(shown.of("details", name="tables")) == len(tables)
    static = re.sub(r"<script.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    figures = sorted(file.stem for file in (finished.root / "figures/smoke").glob("*.svg"))
    assert figures and all(f"<code>{name}</code>" in static for name in figures)
    inside = [name for name in figures if name.startswith("dots")]
    assert len(Elements(static).of("svg")) == len(inside) > 0
    assert len(shown.of("button", type="button")) >= len(tables), "the script made heads of tables into buttons"

    blocked = tmp_path / "blocked.html"
    blocked.write_text(
        page.read_text(encoding="utf-8").replace("</body>", "<script>1</script></body>"), encoding="utf-8"
    )
    assert opened(blocked, tmp_path / "profile")[1], "the page lets no other script run, and the console says so"


def test_the_page_loads_nothing_and_its_links_stay_inside(page, tables):
    content = re.sub(r"<script>.*?</script>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    elements = Elements(content)
    loaded = [
        value
        for tag, attributes in elements.all
        for key, value in attributes.items()
        if key in ("src", "srcset", "data", "poster", "xlink:href") or (key == "href" and tag not in ("a", "base"))
    ]
    assert [value for value in loaded if not value.startswith(("#", "data:"))] == []
    assert not re.search(r"url\(\s*['\"]?(?!#|data:)|@import", content)
    assert not elements.of("base")
    assert "default-src 'none'" in elements.of("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"]
    links = {a["href"] for a in elements.of("a") if "href" in a}
    anchors = {a["id"] for _, a in elements.all if "id" in a}
    assert links and {link.removeprefix("#") for link in links} <= anchors
    files = json.loads(re.search(r'id="table-files">(.*?)</script>', content)[1])
    assert len(files) == 2 * len(tables)
    for name, packed in files.items():
        content = gzip.decompress(base64.b64decode(packed["gzip"]))
        assert content == (page.parent / "tables" / name).read_bytes(), name


@needs_browser
def test_a_selector_shows_one_table_and_its_bytes_can_be_taken(page, tmp_path):
    script = """
    const box = document.querySelector("#tables .chosen"), select = box.previousElementSibling;
    const shown = () => [...box.children].filter((part) => part.open && !part.hidden).map((part) => part.id);
    const seen = [select.options.length, shown()];
    select.value = 2;
    select.dispatchEvent(new Event("change"));
    seen.push(shown());
    URL.createObjectURL = (blob) => { blob.text().then((text) => {
      document.title = JSON.stringify([...seen, text.split("\\n")[0]]);
    }); return "#taken"; };
    box.children[2].querySelector("[data-file]").click();
    """
    content = page.read_text(encoding="utf-8")
    content = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", content)
    (tmp_path / "page.html").write_text(content.replace("</body>", f"<script>{script}</script></body>"), "utf-8")
    said, _ = opened(tmp_path / "page.html", tmp_path / "profile")
    n, first, second, head = json.loads(html.unescape(re.search(r"<title>(.*?)</title>", said)[1]))
    assert n == 6 and len(first) == len(second) == 1 and first != second
    assert head.startswith("scenario,metric,dataset,method,mean")


@needs_browser
def test_a_phone_does_not_scroll_sideways(page, tmp_path):
    """In a frame as wide as a phone, since a window of the browser cannot be; a table too wide is a control."""
    measured = {}
    for name, more in (("as it is", ""), ("too wide", f"<div style='width:{PHONE + 30}px'>x</div>")):
        content = page.read_text(encoding="utf-8")
        content = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", content)
        say = "parent.postMessage([innerWidth, document.documentElement.scrollWidth].join(' '), '*')"
        script = f"<script>addEventListener('load', () => {say})</script>"
        (tmp_path / "page.html").write_text(content.replace("</body>", f"{more}{script}</body>"), encoding="utf-8")
        frame = tmp_path / "frame.html"
        frame.write_text(
            "<script>addEventListener('message', (event) => { document.title = event.data; })</script>"
            f"<iframe src='page.html' style='width:{PHONE}px;height:844px;border:0'></iframe>"
        )
        content, _ = opened(frame, tmp_path / "profile", "--window-size=800,900")
        measured[name] = re.search(r"<title>(.*?)</title>", content)[1]
    assert measured == {"as it is": f"{PHONE} {PHONE}", "too wide": f"{PHONE} {PHONE + 30}"}
