"""What spans.joined gives."""

import spans


def test_any_order():
    assert spans.joined([(5, 7), (1, 2)]) == [(1, 2), (5, 7)]


def test_overlap_in_any_order():
    assert spans.joined([(4, 8), (10, 12), (1, 5)]) == [(1, 8), (10, 12)]


def test_touching():
    assert spans.joined([(1, 2), (2, 3)]) == [(1, 3)]


def test_touching_points():
    assert spans.joined([(1, 1), (1, 4), (4, 4)]) == [(1, 4)]


def test_contained():
    assert spans.joined([(1, 9), (2, 3)]) == [(1, 9)]


def test_argument_is_left_alone():
    given = [(1, 2), (4, 6), (5, 7)]
    assert (spans.joined(given), given) == ([(1, 2), (4, 7)], [(1, 2), (4, 6), (5, 7)])
