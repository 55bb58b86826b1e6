"""What is wrong with a claim is said before anything runs: file, line, and what was meant."""

import pytest

from scarce import paths
from scarce.config.loading import load_project
from scarce.errors import ConfigError

CLAIM = """
claims:
  - name: forests
    claim: PU-SHRF is better
    judge: better
    arguments:
      methods: [pu_shrf]
      over: [adasyn_rf]
      metrics: [auc_pr]
  - name: readings
    claim: It does not matter
    judge: contrast
    arguments:
      methods: [pu_hdt]
      against: {study: few}
"""


@pytest.fixture
def study(configured):
    """The study `smoke` with two claims, and another study that one of them rests on."""
    file = paths.study_yaml("smoke")
    text = file.read_text(encoding="utf-8")
    few = text.replace("name: smoke", "name: few").replace("[pu_hdt, ", "[pu_hdt, hdt, ")
    paths.study_yaml("few").write_text(few, encoding="utf-8")
    file.write_text(text + CLAIM, encoding="utf-8")
    return file


def change(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def faults(chosen):
    with pytest.raises(ConfigError) as error:
        load_project(chosen)
    return error.value.lines()


def test_claims_that_are_right(study):
    project = load_project()
    assert project.study("smoke").other_studies == ["few"]
    assert project.study("few").other_studies == []
    assert project.study("smoke").claims[0].arguments.over == ["adasyn_rf"]


def test_a_study_alone_brings_the_studies_that_its_claims_rest_on(study):
    assert set(load_project([study]).studies) == {"smoke", "few"}
    assert set(load_project([paths.study_yaml("few")]).studies) == {"few"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("judge: better", "judge: beter", "claims.0.judge: no judge is named 'beter' (did you mean better?)"),
        ("over: [adasyn_rf]", "ovr: [adasyn_rf]", "claims.0.arguments.ovr: unknown key (did you mean over?)"),
        ("over: [adasyn_rf]", "over: [adasyn]", "claims.0.arguments.over.0: no method of this study is named 'adasyn'"),
        ("      over: [adasyn_rf]\n", "", "claims.0.arguments: needs `over` or `tied`"),
        ("over: [adasyn_rf]", "over: [pu_shrf]", "claims.0.arguments: pu_shrf cannot be compared with itself"),
        ("metrics: [auc_pr]\n  -", "metrics: [auc_rp]\n  -", "no metric to rank by is named 'auc_rp' (did you mean"),
        ("{study: few}", "{study: fev}", "against.study: no study is named 'fev' (did you mean few?)"),
        ("{study: few}", "{study: smoke}", "claims.1.arguments.against.study: 'smoke' is this study itself"),
        ("{study: few}", "{metric: few}", "claims.1.arguments.against.metric: no metric to rank by is named 'few'"),
        ("{study: few}", "{}", "claims.1.arguments.against: needs `study`, `metric` or both"),
        ("name: readings", "name: forests", "claims: names forests twice"),
        ("claim: It", "says: It", "claims.1.claim: is missing"),
        ("judge: contrast", "judge: contrast\n    scenario: a", "claims.1.scenario: unknown key"),
    ],
)
def test_a_fault_of_a_claim_is_one_line_with_file_and_line(study, old, new, said):
    change(study, old, new)
    lines = faults([study])
    found = [line for line in lines if said in line]
    assert len(found) == 1, lines
    number = int(found[0].split(":")[1])
    first = study.read_text(encoding="utf-8").splitlines().index("claims:") + 1
    assert found[0].startswith(f"config/studies/smoke.yaml:{number}: claims")
    assert number >= first


def test_all_faults_come_at_once(study):
    for old, new in {
        "[adasyn_rf]\n": "[adasyn]\n",
        "[auc_pr]\n  -": "[x]\n  -",
        "{study: few}": "{study: fev}",
    }.items():
        change(study, old, new)
    assert len(faults([study])) == 3


def test_the_other_study_must_share_something(study):
    few = paths.study_yaml("few")
    change(few, "[0.50, 0.75]", "[0.25]")
    change(few, "[pu_hdt, hdt, ", "[")
    lines = faults([study])
    assert any("study few has no method pu_hdt" in line for line in lines)
    assert any("study few has none of the scenarios flip-50, flip-75" in line for line in lines)


def test_a_broken_other_study_is_said_once(study):
    change(paths.study_yaml("few"), "repeats: 3", "repeats: three")
    for chosen in ([study], None):
        (line,) = faults(chosen)
        assert "few.yaml" in line
        assert "repeats: must be a whole number, got 'three'" in line


def prints(*stages):
    project = load_project()
    return {stage: project.stage_fingerprint(project.study("smoke"), stage) for stage in stages}


def test_only_verdicts_depend_on_what_is_claimed(study):
    stages = ("collect", "analyse", "verdicts", "tables", "figures", "page")
    before = prints(*stages)
    change(study, "is better", "is much better")
    after = prints(*stages)
    assert {stage for stage in stages if before[stage] != after[stage]} == {"verdicts"}


def test_verdicts_depend_on_the_settings_of_the_other_study(study):
    before = prints("verdicts", "analyse")
    change(paths.study_yaml("few"), "[f1_validation, auc_pr]", "[auc_pr]")
    after = prints("verdicts", "analyse")
    assert {stage for stage in before if before[stage] != after[stage]} == {"verdicts"}


def test_the_companions_of_the_main_job_differ_from_it_in_one_thing_each(configured):
    project = load_project()
    main, encodings, variants = (project.study(f"ortega2023{end}") for end in ("", "_encodings", "_variants"))
    for other in (encodings, variants):
        assert (other.split, other.labeling, other.repeats, other.seed, other.preset) == (
            main.split, main.labeling, main.repeats, main.seed, main.preset
        )  # fmt: skip
        assert set(other.datasets) <= set(main.datasets)
    assert variants.options == main.options
    changed = {name for name, value in encodings.options if value != getattr(main.options, name)}
    assert changed == {"encoding"}
    for name in variants.methods:
        before, after = (project.arguments(study, "car_good", name) for study in (main, variants))
        assert len({key for key in before | after if before.get(key) != after.get(key)}) == 1, name
    for name in main.methods:
        assert project.arguments(encodings, "car_good", name) == project.arguments(main, "car_good", name)
    assert project.study("demo").other_studies == [], "the demo runs no other study"
