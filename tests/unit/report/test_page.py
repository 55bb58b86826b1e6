"""The page as HTML: one file, nothing loaded, everything escaped."""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pandas as pd
import pytest

from scarce.report import figures
from scarce.report import page as module
from scarce.report.fragments import inline_svg
from scarce.report.page import FigureBlock, Missing, Option, PageContext, TableBlock, build_page, fill
from scarce.report.studies_page import Finished, studies_page
from scarce.report.summary import MANY, winners
from scarce.report.tables import BOLD, Cell, Column, Row, Table
from scarce.words import listed

EVIL = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>&amp;"
VOID = {"meta", "br", "col", "input", "img", "link", "hr"}


def table(text="C"):
    return Table(
        name="table_3",
        caption=text,
        columns=(Column("Method", kind="name"), Column("YEA", "Yeast 6")),
        rows=(
            Row("b", (Cell("20.0", published="19.9", sort=0.2),)),
            Row("c", (Cell(sort=float("nan")),)),
            Row("a", (Cell("90.0", emphasis=BOLD, sort=0.9),)),
        ),
        reading="note",
    )


class Reader(HTMLParser):
    """Collects elements and text, and checks that what opens closes."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.text = [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text.append(data)

    def tags(self, name):
        return [attrs for tag, attrs in self.elements if tag == name]

    @property
    def words(self):
        return " ".join("".join(self.text).split())


def svg_of(figure, tmp_path):
    return next(p for p in figures.save(figure, tmp_path / "figure") if p.suffix == ".svg").read_text()


@pytest.fixture(scope="module")
def svg(tmp_path_factory):
    figure = figures.critical_difference({"a": 1.0, "b": 2.0}, [["a", "b"]], 1.5, alpha=0.05)
    return svg_of(figure, tmp_path_factory.mktemp("svg"))


def agreement_rows():
    rows = [
        ("auc_pr", "yeast6", 0.5, 0.505, True),
        ("auc_pr", "shuttle", 0.6, 0.8, False),
        ("auc_pr", "car_good", 0.1, 0.4, None),
        ("auc_pr", "", 0.55, 0.56, True),
    ]
    frame = pd.DataFrame(rows, columns=["metric", "dataset", "published", "reproduced", "within"])
    return frame.assign(scenario="flip-25", method="pu_hrf", difference=frame["reproduced"] - frame["published"])


def full(svg, text="plain"):
    return PageContext(
        title=f"Study {text}",
        subtitle=text,
        facts=[(text, text), ("Data sets", "13 of 15")],
        summary=[(text, text)],
        notes=[text],
        details=[text],
        data={"metrics": [{"label": text}], "scores": {"shape": [0, 0]}, "text": text},
        leaderboard=table(text),
        tables=[TableBlock(f"Table {text}", table(text), {f"{text}.csv": text})],
        figures=[
            FigureBlock("cd one", f"One {text}", svg, text),
            FigureBlock("cd two", f"Two {text}", svg),
            FigureBlock("cd three", f"Three {text}", view="leaderboard"),
        ],
        agreement=agreement_rows().assign(method=text),
        agreement_notes=[text],
        statuses={"ok": 10, text: 2},
        failures=[
            dict.fromkeys(("dataset", "scenario", "method", "message", "command"), text) | {"status": "failed"}
            for _ in range(3)
        ],
        missing=[Missing(text, text)],
        messages=table(text),
        costs=table(text),
        thresholds=[(text, table(text))],
        options=[Option(text, text, text, hidden_labels=True)],
        provenance={text: text, "seed": 0, "Versions": {text: text}},
        sources=[{"data set": text, "n": 5, "sha256": "ab" * 32}],
        citations=[text],
        files_beside=[(text, text)],
        label=lambda kind, name: text if name == "shuttle" else name,
    )  # fmt: skip


def test_page_is_well_formed_and_has_every_section(svg):
    page = Reader(build_page(full(svg)))
    assert [a["id"] for a in page.tags("section")] == [
        "summary", "explore", "leaderboard", "two", "dataset", "cost", "ratio", "rules", "agreement", "tables",
        "figures", "missing", "costs", "thresholds", "options", "provenance", "cite", "files",
    ]  # fmt: skip
    assert page.tags("html") == [{"lang": "en"}]
    targets = {a["href"][1:] for a in page.tags("a") if a["href"].startswith("#")}
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert targets <= set(ids) and {"table-3", "cd-one", "cd-two"} <= set(ids) and "cd-three" not in ids


def test_references_inside_figures_lead_to_their_own_figure(svg):
    page = Reader(build_page(full(svg)))
    ids = {attrs["id"] for _, attrs in page.elements if "id" in attrs}
    uses = [a["href"] for a in page.tags("use")]
    assert len(uses) > 10 and all(href[1:] in ids for href in uses)
    assert {href.split("-DejaVu")[0] for href in uses if "DejaVu" in href} == {"#cd-one", "#cd-two"}


def test_nothing_is_loaded_from_anywhere(svg):
    text = build_page(full(svg))
    page = Reader(text)
    for tag, attrs in page.elements:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base"), tag
        assert "src" not in attrs
        for name in ("href", "xlink:href"):
            if name in attrs and tag != "a":
                assert attrs[name].startswith(("#", "data:image/png;base64,")), (tag, attrs[name])
    shown = re.sub(r"<script.*?</script>", "", text, flags=re.S)  # names of SVG's space stand in the script
    assert not re.search(r"https?:|@import|url\((?!#)", shown)
    policy = next(a["content"] for a in page.tags("meta") if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'") and "script-src 'sha256-" in policy


def test_markup_in_names_stays_text(svg):
    text = build_page(full(svg, EVIL))
    page = Reader(text)
    assert len(page.tags("script")) == 4 and not page.tags("img")
    read = [json.loads(text) for text in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text)]
    assert read[0]["text"] == EVIL and list(read[1]) == [f"{EVIL}.csv"]
    assert "<script>alert" not in text
    assert page.words.count(EVIL) >= 20  # shown as it was given, in every place
    assert not [name for _, attrs in page.elements for name in attrs if name.startswith("on")]


def test_a_table_has_a_scrolling_box_and_numbers_to_sort_by(svg):
    page = Reader(build_page(PageContext(title="T", rules=(), tables=[TableBlock("T", table('a "b"'))])))
    box = next(a for a in page.tags("div") if a.get("class") == "scroll")
    assert (box["role"], box["tabindex"], box["aria-label"]) == ("region", "0", 'a "b"')
    assert [a.get("data-sort") for a in page.tags("td")] == ["0.2", "", "0.9"]
    assert [a["title"] for a in page.tags("th") if "title" in a] == ["Yeast 6"]


@pytest.mark.parametrize(
    "bad", ["<script>1</script>", '<g onload="x()"/>', '<image xlink:href="http://a/b.png"/>', '<a href="x"/>']
)
def test_svg_that_runs_or_loads_something_is_refused(bad):
    with pytest.raises(ValueError, match="SVG file"):
        inline_svg(f'<svg viewBox="0 0 1 1">{bad}</svg>', "p", "L")


def test_paths_keep_hundredths_and_glyphs_their_scale():
    html = inline_svg('<svg width="72pt" viewBox="0 0 72 72"><path d="M 1.23456 -2.5 L 3.999999 7"/></svg>', "p", "L")
    assert 'd="M 1.23 -2.5 L 4 7"' in html and 'viewBox="0 0 72 72"' in html
    scaled = inline_svg('<svg><g transform="scale(0.015625)"/></svg>', "p", "L")
    assert "scale(0.015625)" in scaled


def test_something_that_is_no_svg_is_refused():
    with pytest.raises(ValueError, match="no svg element"):
        inline_svg("<html></html>", "p", "L")


def test_no_link_leads_out_of_the_page(svg):
    """The file stands alone when it is mailed: what it offers is inside."""
    page = Reader(build_page(full(svg)))
    assert all(a["href"].startswith("#") for a in page.tags("a"))
    files = re.search(r'id="table-files">(.*?)</script>', build_page(full(svg))).group(1)
    (packed,) = json.loads(files).values()
    assert gzip.decompress(base64.b64decode(packed["gzip"])).decode() == "plain"


def test_a_name_of_a_section_is_left_to_the_section(svg):
    page = Reader(build_page(PageContext(title="T", figures=[FigureBlock("Summary", "S", svg)])))
    assert {"summary", "x-summary"} <= {a["id"] for _, a in page.elements if "id" in a}


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
@pytest.mark.parametrize("title", ["T", "é" * 50_000], ids=["small", "large_rest"])
def test_what_would_make_the_page_too_large_is_left_out_and_named(svg, monkeypatch, title, share):
    figures = [FigureBlock(str(k), f"Figure {k}", svg) for k in range(3)]
    sizes = [len(build_page(PageContext(title=title, figures=some)).encode()) for some in ([], figures)]
    largest = int(sizes[0] + share * (sizes[1] - sizes[0]) + 500)
    monkeypatch.setattr(module, "LARGEST", largest)
    text = build_page(PageContext(title=title, figures=figures))
    assert len(text.encode()) < largest
    page = Reader(text)
    shown = [a["id"] for a in page.tags("details") if "id" in a]
    assert shown == [f"x-{k}" for k in range(len(shown))] and len(shown) == int(3 * share)
    left = page.words.split("too large: ")[1]
    assert [f"Figure {k}" in left.split(".")[0] for k in range(3)] == [k >= len(shown) for k in range(3)]


def test_a_script_that_ends_its_element_is_refused():
    with pytest.raises(ValueError, match="end tag"):
        fill("advice.html", title="T", scripts=["x = '</SCRIPT>'"])


def test_two_blocks_of_one_id_are_refused(svg):
    blocks = [FigureBlock("a_b", "A", svg), FigureBlock("a b", "B", svg)]
    with pytest.raises(ValueError, match="'a-b'"):
        build_page(PageContext(title="T", figures=blocks))


def test_agreement_counts_single_cells_and_lists_the_largest(svg):
    page = Reader(build_page(PageContext(title="T", agreement=agreement_rows())))
    assert "1 of 2 single numbers lie within" in page.words and "1 lies outside" in page.words
    largest = page.words.split("Largest differences")[1]
    assert largest.index("car_good") < largest.index("shuttle") < largest.index("yeast6")
    rows = re.findall(r"[+-]\d+\.\d(?:unknown|outside|within)", largest)
    assert rows == ["+30.0unknown", "+20.0outside", "+0.5within"]


def test_alike_failures_become_one_row_with_their_number(svg):
    page = Reader(build_page(full(svg)))
    row = page.words.split("Runs that did not end well")[1].split("Thresholds")[0]
    assert "3 runs" in row and row.count("failed") == 1


def test_warnings_about_data_sets_are_listed(svg):
    from dataclasses import replace

    warnings = [Missing("Lot A", "column 'id' counts the rows"), Missing("Lot B", EVIL)]
    page = Reader(build_page(replace(full(svg), warnings=warnings)))
    assert "column 'id' counts the rows" in page.words
    assert "Warnings about data sets" in page.words
    assert "Warnings about data sets" not in Reader(build_page(full(svg))).words


def test_an_empty_study_still_has_a_page():
    page = Reader(build_page(PageContext(title="T")))
    assert "No results yet." in page.words and "No run failed" in page.words and "None was recorded." in page.words
    assert {"agreement", "tables", "figures"}.isdisjoint(a["id"] for a in page.tags("section"))


def test_the_page_of_all_studies_escapes_and_links():
    row = Finished(EVIL, EVIL, "a%20b/report.html", *[EVIL] * 4)
    page = Reader(studies_page([row, row]))
    assert page.words.count(EVIL) == 2 * 6 + 2 and not page.tags("img") and not page.tags("script")
    assert [a["href"] for a in page.tags("a") if not a["href"].startswith("#")] == ["a%20b/report.html"] * 2
    assert "No study is finished." in Reader(studies_page([])).words


def test_pages_of_the_same_context_are_equal(svg):
    assert build_page(full(svg)) == build_page(full(svg))


# the headline


def ranks(**values):
    frame = pd.DataFrame({"method": list(values), "average_rank": list(values.values()), "n_blocks": 13})
    return frame.assign(scenario="flip-25", metric="auc_pr", blocks="datasets")


def posthoc(**significant):
    frame = pd.DataFrame({"method": list(significant), "significant": list(significant.values())})
    frame["p"] = [0.1 * (i + 1) for i in range(len(frame))]
    return frame.assign(
        scenario="flip-25", metric="auc_pr", blocks="datasets", test="holm", control="pu_hrf", alpha=0.05
    )


def test_winner_and_those_that_cannot_be_told_from_it():
    first, tests = winners(
        ranks(pu_hrf=1.5, nnpu=2.0, hdt=2.5),
        posthoc(hdt=True, nnpu=False),
        label=lambda kind, name: name.replace("pu_hrf", "PU-HRF"),
    )
    assert first == ("auc_pr, flip-25: PU-HRF has the best average rank, 1.50; not distinguishable from PU-HRF: nnpu.")
    assert tests == "Ranks over 13 data sets and 3 methods; comparisons by Holm's procedure, α = 0.05."


def test_winner_when_all_differ_none_differs_or_two_share_the_rank():
    assert "every other method differs" in winners(ranks(pu_hrf=1.0, a=2.0), posthoc(a=True))[0]
    assert "no method differs" in winners(ranks(pu_hrf=1.4, a=1.6), posthoc(a=False))[0]
    assert "a and b share the best average rank, 1.50" in winners(ranks(a=1.5, b=1.5, c=3.0))[0]
    assert winners(ranks(a=float("nan"))) == []


def test_many_scenarios_are_counted():
    parts = [ranks(a=1.5 if i < 5 else 1.0, b=1.5 if i < 5 else 2.0).assign(scenario=f"s{i}") for i in range(MANY + 1)]
    (sentence,) = winners(pd.concat(parts))
    assert f"of {MANY + 1} scenarios" in sentence and f"a in {MANY + 1} and b in 5" in sentence
    assert len(winners(pd.concat(parts[:MANY]))) == MANY


def test_listed():
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


# sorting, in a browser where there is one

CLICKS = """
const heads = [...document.querySelectorAll("#tables thead th")];
const order = () => [...document.querySelectorAll("#tables tbody th")].map((cell) => cell.textContent).join("");
const seen = [order()];
for (const column of [1, 1, 0, 0]) {
  heads[column].querySelector("button").click();
  seen.push(order() + ":" + heads[column].getAttribute("aria-sort"));
}
document.title = seen.join(" ");
"""


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs chromium to run the page's script")
def test_heads_sort_the_rows_with_empty_cells_last(svg, tmp_path):
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", build_page(full(svg)))
    path = tmp_path / "page.html"
    path.write_text(page.replace("</body>", f"<script>{CLICKS}</script></body>"))
    done = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", path.as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    title = re.search(r"<title>(.*?)</title>", done.stdout).group(1)
    assert title == "bca abc:descending bac:ascending abc:ascending cba:descending"
