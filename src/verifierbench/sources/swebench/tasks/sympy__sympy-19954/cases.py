"""What is looked at in the patched sympy: Sylow subgroups and minimal block systems of permutation groups."""

from sympy.combinatorics import CyclicGroup, DihedralGroup, Permutation, PermutationGroup, SymmetricGroup
from sympy.combinatorics.named_groups import AbelianGroup, AlternatingGroup


def orders(made, primes):
    """Each prime with the order of what is found, 0 where it is no subgroup."""
    found = []
    for prime in primes:
        group = made()
        part = group.sylow_subgroup(p=prime)
        found.append(int(part.order()) if all(group.contains(g) for g in part.generators) else 0)
    return found


def systems(group, **more):
    """Block systems, each as the size of its blocks and the points of the first; in their order."""
    blocks = group.minimal_blocks(**more)
    if blocks is False:
        return blocks
    return [(len(set(each)), [point for point, label in enumerate(each) if label == each[0]]) for each in blocks]


def regular(*sizes):
    """A product of cyclic groups as it moves its own elements."""
    group = AbelianGroup(*sizes)
    elements = sorted(group.elements, key=lambda e: e.array_form)
    place = {element: number for number, element in enumerate(elements)}
    return PermutationGroup([Permutation([place[e * g] for e in elements]) for g in group.generators])


def refusal(make):
    try:
        return make().order()
    except Exception as error:
        return type(error).__name__


def case_issue():
    return orders(lambda: DihedralGroup(18), [2]), orders(lambda: DihedralGroup(2 * 25), [2])


def case_dihedral():
    return orders(lambda: DihedralGroup(18), [3]), orders(lambda: DihedralGroup(42), [2, 3, 7])


def case_regular():
    made = (lambda: CyclicGroup(18), lambda: CyclicGroup(42), lambda: regular(3, 4, 2), lambda: regular(2, 2, 9))
    return [orders(make, [2, 3]) for make in made]


def case_systems():
    return [systems(DihedralGroup(n)) for n in (18, 42)]


def case_few_systems():
    return [systems(DihedralGroup(n)) for n in (6, 10, 12)], systems(DihedralGroup(6), randomized=False)


def case_chains():
    return systems(CyclicGroup(12)), [size for size, _ in systems(regular(3, 6))], systems(CyclicGroup(9))


def case_primitive():
    return systems(SymmetricGroup(5)), systems(CyclicGroup(7)), systems(AlternatingGroup(4))


def case_intransitive():
    return systems(PermutationGroup(Permutation(1, 2, 5))), systems(PermutationGroup(Permutation(0, 1)(2, 3)))


def case_found_before():
    made = (lambda: DihedralGroup(12), lambda: SymmetricGroup(6), lambda: CyclicGroup(12), lambda: DihedralGroup(30))
    return [orders(make, [2, 3]) for make in made]


def case_refused():
    group = DihedralGroup(12)
    return refusal(lambda: group.sylow_subgroup(4)), refusal(lambda: group.sylow_subgroup(5))
