import pytest

from scarce.config.study import Study
from scarce.config.yamlfile import doubtful, read_yaml, validate
from scarce.errors import ConfigError
from scarce.words import did_you_mean


def read(tmp_path, text):
    file = tmp_path / "a.yaml"
    file.write_text(text, encoding="utf-8")
    return read_yaml(file)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("NO", "NO"),
        ("off", "off"),
        ("2023_01", "2023_01"),
        ("010", "010"),
        ("007", "007"),
        ("1:30", "1:30"),
        ("0x1F", "0x1F"),
        ("2023-01-05", "2023-01-05"),
        ("1e-3", 0.001),
        ("1e5", 100000.0),
        (".25", 0.25),
        ("0.250", 0.25),
        ("-3", -3),
        ("true", True),
        ("null", None),
        ('"0.5"', "0.5"),
        ("'true'", "true"),
    ],
)
def test_a_scalar_keeps_the_type_that_a_person_means(tmp_path, text, value):
    found = read(tmp_path, f"key: {text}\n").value["key"]
    assert found == value
    assert type(found) is type(value)


def test_every_value_knows_its_line(tmp_path):
    file = read(tmp_path, "a:\n  - 1\n  - b: 2\n# comment\nc: 3\n")
    assert file.where(("a", 1, "b")).endswith("a.yaml:3")
    assert file.where(("c",)).endswith("a.yaml:5")
    assert file.where(("a", 1, "not there")).endswith("a.yaml:3")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\nb: 2\na: 3\n", "a.yaml:3: a: given twice"),
        ("a: [1\n", "not valid YAML"),
        ("a: {b: 1\nc: 2", "not valid YAML"),
        ("a: b: c\n", "put a text that holds `: ` in quotes"),
        ("a: %b\n", "put the text in quotes"),
        ("a:\n\tb: 1\n", "indent with blanks"),
    ],
)
def test_a_broken_file_is_one_line_with_its_place(tmp_path, text, said):
    with pytest.raises(ConfigError) as error:
        read(tmp_path, text)
    assert any(said in line for line in error.value.lines())


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: no such file"):
        read_yaml(tmp_path / "nowhere.yaml")


def test_all_problems_at_once_each_with_its_line(tmp_path):
    file = read(
        tmp_path,
        "name: a\ntitle: A\ndatasets: [moons]\nmethods: [pu_hdt]\nrepeat: 3\n"
        "labeling:\n  scar: {flip_ratios: [1.2, 0.5]}\nsplit: {test_size: '0.3'}\noptions:\n  class_prior: 0\n",
    )
    with pytest.raises(ConfigError) as error:
        validate(Study, file)
    lines = "\n".join(error.value.lines())
    assert "a.yaml:5: repeat: unknown key (did you mean repeats?)" in lines
    assert "a.yaml:7: labeling.scar.flip_ratios.0: must be less than 1, got 1.2" in lines
    assert "a.yaml:8: split.test_size: must be a number, got '0.3' (write 0.3)" in lines
    assert "a.yaml:10: options.class_prior: must be all_true, train_true, estimated:<method> or a number" in lines
    assert "between 0 and 1, got 0" in lines
    assert len(error.value.lines()) == 4


def test_the_hint_names_the_nearest():
    assert did_you_mean("yeast", ["yeast6", "poker_8_vs_6"]) == "did you mean yeast6?"
    assert did_you_mean("zzz", ["a", "b"]) == "known: a, b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: !!python/object/apply:os.system [touch executed]\n", "tags such as !!python/object/apply:os.system"),
        ("a: !!python/name:os.system\n", "tags such as"),
        ("a: !!int '8'\n", "tags such as"),
        ("a: &x [*x]\n", "without end"),
        ("a: " + "[" * 3000 + "\n", "nest"),
        ("a: " + "[" * 60 + "]" * 60 + "\n", "without end"),
        ("a0: &a0 [1]\n" + "".join(f"a{i}: &a{i} [{f'*a{i - 1}, ' * 9}]\n" for i in range(1, 8)), "more than"),
        ("? [a]\n: 1\n", ":1: a key must be one word"),
        ("a: 1e400\n", ":1: a: 1e400 is too large"),
        ("a: 1\n---\nb: 2\n", "another document"),
        ("a: 1\nb: \0\n", ":2: not valid YAML: the character '\\x00' is not allowed"),
        (
            "a: 1\n\tb: 2\n",
            ":2: not valid YAML: found",
        ),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", ":3: c.<<: merge keys are not read (write the keys out;"),
    ],
)
def test_a_hostile_file_is_refused_in_one_line(tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as error:
        read(tmp_path, text)
    (line,) = error.value.lines()
    assert said in line
    assert not (tmp_path / "executed").exists()


def test_bytes_that_are_no_text_are_said_with_their_line(tmp_path):
    (tmp_path / "a.yaml").write_bytes(b"a: 1\nb: \xff\n")
    with pytest.raises(ConfigError, match=r"a\.yaml:2: not UTF-8 text"):
        read_yaml(tmp_path / "a.yaml")


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "null\n", "\ufeff"])
def test_a_file_that_says_nothing_is_an_empty_block(tmp_path, text):
    assert read(tmp_path, text).value == {}


def test_an_integer_of_any_length_is_no_crash(tmp_path):
    read(tmp_path, "a: " + "9" * 300 + "\n")
    with pytest.raises(ConfigError, match="too large"):
        read(tmp_path, "a: " + "9" * 5000 + "\n")


def test_what_cannot_be_opened_is_said(tmp_path):
    with pytest.raises(ConfigError, match=r"cannot be read: Is a directory"):
        read_yaml(tmp_path)


@pytest.mark.parametrize("text", ["No", "off", "True", "y", "010", "2023_01", "1:30", "0x1F", "5%", "1,5", ".nan"])
def test_a_text_that_people_write_for_another_type_is_doubtful(text):
    assert repr(text) in doubtful(text)


@pytest.mark.parametrize("value", ["sqrt", "$seed", "hellinger", "l1", "none", "rbf", 3, 0.5, True, None, [1]])
def test_other_values_are_not_doubtful(value):
    assert doubtful(value) is None
