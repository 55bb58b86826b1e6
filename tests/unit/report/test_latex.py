import shutil
import subprocess
import unicodedata

import pytest

from scarce.report.latex import caption, definitions, escape, escape_apart, without_glyph


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a & b % c # d $ e _ f", r"a \& b \% c \# d \$ e \_ f"),
        ("{x} ~ ^ \\", r"\{x\} \textasciitilde{} \textasciicircum{} \textbackslash{}"),
        ("75.0 ± 5.7", r"75.0 $\pm$ 5.7"),
        ("–", "--"),
        ("Demšar, Čech, Ørsted, Łódź", r"Dem\v{s}ar, \v{C}ech, \O{}rsted, \L{}\'{o}d\'{z}"),
        ("1/c ≤ α, Λ, λ", r"1/c $\leq$ $\alpha$, $\Lambda$, $\lambda$"),
        ("line\nbreak\tand tab", "line break and tab"),
        ("ﬁne ①", "fine 1"),
        ("木", "木"),
        ("Лес A", "Лес A"),
        ("Cafe\u0301", r"Caf\'{e}"),
        ("x\u0304", r"\={x}"),
        ("Đanič", r"Đani\v{c}"),
        ("x₂, 10⁻³", "x$_2$, 10$^-$$^3$"),
        ("„q“ «g»", r"„q`` $\ll$g$\gg$"),
        ("[1] a", "{}[1] a"),
        (" *", "{} *"),
        (r"\input{/etc/passwd}\write18", r"\textbackslash{}input\{/etc/passwd\}\textbackslash{}write18"),
        (12, "12"),
    ],
)
def test_escape(text, expected):
    assert escape(text) == expected


LABELS = [
    "Лес A", "Бор A", "Cafe\u0301", "Café", "Đanič", "x₂", "x2", "x²", "木", "Ąę Ŋ „q“ «g» ‹h›", "ﬁne", "fine", "ế Þ",
    "a--b", "a–b", "it’s", "it's", "∑ → ✓ ●", "שלום", "नमस्ते", "🙂", "½ €", "[Л]", "\u200bzero", "zero", "Ｆ１", "F1",
]  # fmt: skip


def test_different_names_stay_different():
    names = escape_apart(LABELS)
    assert len(set(names)) == len(LABELS)
    assert names[:2] == ["Лес A", "Бор A"]
    assert escape_apart(["a–b", "c"]) == ["a--b", "c"], "only names that would be equal are spelt out"
    composed = [unicodedata.normalize("NFC", label) for label in LABELS if label != "Cafe\u0301"]
    decomposed = [unicodedata.normalize("NFD", label) for label in composed]
    assert escape_apart(composed) == escape_apart(decomposed)


def test_letters_without_a_glyph_are_listed_once():
    assert without_glyph(map(escape, ["Лес", "ель", "Čech", "π ≤ x₂"])) == sorted({*"Лесль"})
    assert definitions([]) == []
    assert definitions("Л")[0].endswith(" Л")


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
@pytest.mark.parametrize("preamble", ["", r"\usepackage[T1]{fontenc}"])
def test_every_name_compiles_also_in_a_list_of_tables(engine, preamble, tmp_path):
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    rows = [f"{name} \\\\" for name in escape_apart(LABELS)]
    body = [r"\begin{table}", caption("[Лес] Đ Ą x₂"), r"\begin{tabular}{l}", *rows, r"\end{tabular}", r"\end{table}"]
    page = [rf"\documentclass{{article}}{preamble}\begin{{document}}\listoftables", *definitions(without_glyph(body))]
    (tmp_path / "page.tex").write_text("\n".join([*page, *body, r"\end{document}"]), encoding="utf-8")
    for _ in range(2):
        done = subprocess.run(
            [engine, "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
            cwd=tmp_path, capture_output=True, encoding="utf-8", errors="replace", check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-1000:]
