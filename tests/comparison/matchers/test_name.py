"""The laws of names: legal forms never count, order of the two sides never counts, the matrix is the similarity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.comparison.matchers.name import Name
from agentv_py.comparison.readers.legal_forms import load_legal_forms
from agentv_py.comparison.readers.name import read_name

_WORDS = [
    "John", "Joan", "Jon", "Smith", "Smyth", "Smithson", "A.", "Andrew", "B.", "van", "Müller", "Mueller", "Jr.", "III",
    "Bank", "of", "12", "13", "GmbH", "& Co.", "KG", "S.A.", "de", "C.V.", "PT", "ООО", "株式会社", "トヨタ株式会社", "-", "Ø",
]  # fmt: skip
names = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join)


@given(names, names)
def test_the_order_of_two_names_does_not_count(left: str, right: str) -> None:
    assert Name().similarity(left, right) == Name().similarity(right, left)
    assert 0.0 <= Name().similarity(left, right) <= 1.0


@given(names)
def test_a_name_is_itself_and_never_empty(name: str) -> None:
    assert Name().similarity(name, name) == 1.0
    assert all(spelling.letters for spelling in read_name(name))


@given(st.lists(names, min_size=1, max_size=6), st.lists(names, min_size=1, max_size=6))
def test_the_matrix_is_the_similarity_of_each_pair(expecteds: list[str], actuals: list[str]) -> None:
    matrix = Name().matrix(expecteds, actuals)
    assert matrix.shape == (len(expecteds), len(actuals))
    for row, expected in enumerate(expecteds):
        for column, actual in enumerate(actuals):
            assert matrix[row, column] == pytest.approx(Name().similarity(expected, actual), abs=1e-12)


@pytest.mark.parametrize("kind", ["end", "front"])
def test_no_form_of_the_table_counts(kind: str) -> None:
    forms = getattr(load_legal_forms(), kind)
    written = dict.fromkeys(forms, "Zyxwvut {}" if kind == "end" else "{} Zyxwvut")
    counted = [
        form for form, place in written.items() if Name().similarity(place.format(" ".join(form)), "Zyxwvut") < 1
    ]
    assert counted == []


def test_forms_without_a_space_do_not_count() -> None:
    for form in load_legal_forms().attached:
        assert Name().similarity(f"東方{form}", "東方") == 1.0
        assert Name().similarity(f"{form}東方", "東方") == 1.0
        assert read_name(form)[0].letters == form


def test_a_name_of_many_forms_takes_linear_time() -> None:
    assert read_name("Acme" + " Co" * 200_000)[0].letters == "acme"
