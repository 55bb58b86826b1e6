import pytest

from scarce.report.latex import escape


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
        ("木", "?"),
        ("[1] a", "{}[1] a"),
        (" *", "{} *"),
        (r"\input{/etc/passwd}\write18", r"\textbackslash{}input\{/etc/passwd\}\textbackslash{}write18"),
        (12, "12"),
    ],
)
def test_escape(text, expected):
    assert escape(text) == expected
