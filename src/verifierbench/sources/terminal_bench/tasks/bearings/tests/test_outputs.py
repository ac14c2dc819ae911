"""What bearings.turn and bearings.name give."""

import pytest

bearings = pytest.importorskip("bearings")


def test_right_past_north():
    assert bearings.turn(350, 20) == 10


def test_left_past_north():
    assert bearings.turn(10, -20) == 350


def test_nearest_point():
    assert [bearings.name(bearing) for bearing in (10, 40, 100, 350)] == ["N", "NE", "E", "N"]


def test_middle_is_the_later_point():
    assert [bearings.name(bearing) for bearing in (22.5, 157.5, 337.5)] == ["NE", "S", "N"]


def test_full_circle_has_a_name():
    assert bearings.name(360) == "N"


def test_parts_of_a_degree():
    assert bearings.turn(90.5, 1) == 91.5
