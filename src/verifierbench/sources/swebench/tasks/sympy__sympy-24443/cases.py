"""What is looked at in the patched copy: which images of a permutation group's generators define a homomorphism."""

from itertools import product

from sympy.combinatorics import CyclicGroup, DihedralGroup, Permutation, PermutationGroup
from sympy.combinatorics.fp_groups import FpGroup
from sympy.combinatorics.free_groups import free_group
from sympy.combinatorics.homomorphisms import homomorphism, is_isomorphic

THREE, FOUR = DihedralGroup(3), DihedralGroup(4)
NINE = PermutationGroup(Permutation(5)(0, 1, 2), Permutation(3, 4, 5))
TWENTY = PermutationGroup(Permutation(0, 1, 2, 3, 4), Permutation(4)(1, 2, 4, 3))


def accepted(domain, codomain):
    """Images of the generators, as arrays, that are taken; all others must be refused with ValueError."""
    taken = []
    for images in product(sorted(codomain.elements, key=lambda each: each.array_form), repeat=len(domain.generators)):
        try:
            homomorphism(domain, codomain, domain.generators, images)
        except ValueError:
            continue
        taken.append(tuple(image.array_form for image in images))
    return taken


def identity(group):
    return homomorphism(group, group, group.generators, group.generators)


def kind(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return "no error"


def case_identities():
    moved = Permutation(5)(0, 1, 2) * Permutation(3, 4, 5)**2
    return [identity(group).image().order() for group in (THREE, FOUR, NINE)], identity(NINE)(moved).array_form


def case_into_itself():
    return accepted(THREE, THREE)


def case_onto_smaller():
    return accepted(FOUR, CyclicGroup(2))


def case_commuting():
    return accepted(NINE, CyclicGroup(3))


def case_of_order_four():
    return accepted(TWENTY, CyclicGroup(4))


def case_values():
    rotation, flip = FOUR.generators
    mapping = homomorphism(FOUR, FOUR, [rotation, flip], [rotation**-1, rotation * flip])
    return [mapping(each).array_form for each in (rotation, flip, rotation**-1 * flip, rotation * flip * rotation**2)]


def case_cyclic():
    return accepted(CyclicGroup(6), CyclicGroup(6))


def case_presented_domains():
    free, a, b = free_group("a, b")
    group, target = FpGroup(free, [a**3, b**2, a * b * a * b**-1]), THREE
    rotation, flip = target.generators
    free_one = homomorphism(free, target, [a, b], [flip, rotation])(a**-1 * b**2).array_form
    taken = homomorphism(group, target, [a, b], [rotation, flip])
    return free_one, taken(a**-1 * b).array_form, kind(lambda: homomorphism(group, target, [a, b], [flip, rotation]))


def case_unchecked():
    group = THREE
    made = homomorphism(group, group, group.generators, group.generators[::-1], check=False)
    return [made(each).array_form for each in group.generators]


def case_trivial():
    group = FOUR
    return homomorphism(group, CyclicGroup(3), group.generators).is_trivial(), homomorphism(group, group, []).is_trivial()


def case_arguments_refused():
    group, other = THREE, CyclicGroup(4)
    one = group.generators[0]
    return [
        kind(lambda: homomorphism("group", group, [], [])),
        kind(lambda: homomorphism(group, "group", [], [])),
        kind(lambda: homomorphism(group, group, other.generators, [one])),
        kind(lambda: homomorphism(group, group, [one], other.generators)),
        kind(lambda: homomorphism(group, group, group.generators, [group.identity])),
    ]


def case_isomorphic():
    return is_isomorphic(CyclicGroup(5), CyclicGroup(7)), is_isomorphic(CyclicGroup(3), CyclicGroup(3))
