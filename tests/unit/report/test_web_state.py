"""The reader's choices go into the fragment of the address and come back; foreign names stay text."""

import re

import pytest

from tests.unit.report.web import WEB, call

NAMES = ["a&b=c", "d%20#e", "<f>, g", "h"]
DATA = {
    **{kind: [{"name": name} for name in NAMES] for kind in ("metrics", "scenarios", "datasets", "methods")},
    "study": {"rope": 0.01},
}
START = ("state", "stateOf", [DATA, ""])
FIRST = {"metric": NAMES[0], "rope": "0.01", "in": [], "n_min": None, "view": None}


def through(state: dict) -> tuple[str, dict]:
    """The fragment of a state, and the state of that fragment."""
    everything = {**call(START)[0], **state}
    (fragment,) = call(("state", "fragmentOf", [DATA, everything]))
    return fragment, call(("state", "stateOf", [DATA, f"#{fragment}"]))[0]


@pytest.mark.parametrize(
    "state",
    [
        {"metric": NAMES[1], "scenario": NAMES[2], "a": NAMES[3], "b": NAMES[0]},
        {"in": [NAMES[0], NAMES[2]], "n_min": 10, "imbalance_max": 1.5, "nominal": "some"},
        {"dataset": NAMES[1], "method": NAMES[2], "repeat": 0, "view": "dataset"},
        {"mark": NAMES, "rope": "0.05", "cost": "memory", "trend": "rank", "at": "agreement"},
    ],
)
def test_a_state_comes_back_from_its_fragment(state):
    fragment, back = through(state)
    assert {key: back[key] for key in state} == state
    assert re.fullmatch(r"[\w=&%.+*-]+", fragment)


def test_what_is_as_at_first_is_left_out():
    fragment, back = through({})
    assert fragment == ""
    assert {key: back[key] for key in FIRST} == FIRST


@pytest.mark.parametrize(
    "fragment", ["metric=none", "in=none&out=", "n_min=x&n_max= ", "repeat=-1", "rope=2", "%", "="]
)
def test_what_is_not_known_is_as_at_first(fragment):
    assert call(("state", "stateOf", [DATA, fragment])) == call(START)


@pytest.mark.parametrize("taken", [[], NAMES, NAMES[:1], NAMES[1:]])
def test_the_shorter_list_of_data_sets_says_which_are_in(taken):
    data = {"datasets": [{"name": name, "n": None} for name in NAMES]}
    ((picked,), (start,)) = call(("filter", "picked", [taken, NAMES])), call(START)
    (kept,) = call(("filter", "kept", [data, list(range(4)), {**start, **picked}]))
    assert [NAMES[place] for place in kept] == taken
    assert len(picked["in"]) + len(picked["out"]) <= 2 or not taken


def test_a_size_that_is_not_known_passes_no_limit():
    data = {
        "datasets": [{"name": name, "n": n, "imbalance": None} for name, n in zip(NAMES, [5, None, 7, 9], strict=True)]
    }
    (start,) = call(START)
    state = {**start, "n_min": 6}
    assert call(("filter", "kept", [data, [0, 1, 2, 3], state])) == [[2, 3]]
    assert call(("filter", "kept", [data, [0, 1, 2, 3], {**start, "imbalance_max": 9}])) == [[]]


def test_no_source_makes_markup_of_text():
    sources = [*WEB.glob("src/**/*.js"), WEB.parent / "src/scarce/report/templates/page.js"]
    assert len(sources) > 20
    pattern = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function|srcdoc|setHTML"
    assert [path.name for path in sources if re.search(pattern, path.read_text("utf-8"))] == []
