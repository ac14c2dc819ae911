"""What is looked at in the patched sympy: factors and dimensions of sums of quantities."""

from sympy import Symbol, exp, sqrt
from sympy.physics import units
from sympy.physics.units.systems.cgs import cgs_gauss
from sympy.physics.units.systems.si import SI


def quantity(name, dimension, scale):
    made = units.Quantity(name)
    SI.set_quantity_dimension(made, dimension)
    SI.set_quantity_scale_factor(made, scale)
    return made


speed = quantity("v1", units.velocity, 2 * units.meter / units.second)
pull = quantity("a1", units.acceleration, -9.5 * units.meter / units.second**2)
span = quantity("t1", units.time, 5 * units.second)


def collected(expr, system=SI):
    """Factor, and what the dimension depends on; its own name is free."""
    factor, dimension = system._collect_factor_and_dimension(expr)
    depends = system.get_dimension_system().get_dimensional_dependencies(dimension)
    return float(factor), {str(base.name): str(power) for base, power in depends.items()}


def named(expr):
    factor, dimension = SI._collect_factor_and_dimension(expr)
    return str(factor), str(dimension)


def refused(expr):
    try:
        return named(expr)
    except ValueError as error:
        return type(error).__name__


def case_issue():
    return collected(pull * span + speed)


def case_many():
    power = quantity("p1", units.power, 4 * units.watt)
    sums = units.joule + units.newton * units.meter + power * span + units.kilogram * speed**2
    return collected(sums)


def case_nested():
    return collected(3 * (pull * span + speed) ** 2), collected(speed / span + 2 * pull)


def case_other_names():
    force = quantity("z1", units.force, 3 * units.newton)
    area = quantity("b1", units.area, 2 * units.meter**2)
    return collected(force / area + units.pascal), collected(units.coulomb + units.ampere * units.second)


def case_other_system():
    mass, length, time = units.mass, units.length, units.time
    return collected(units.charge + sqrt(mass) * sqrt(length**3) / time, cgs_gauss)


def case_refused():
    return refused(speed + pull), refused(speed + units.kilogram * pull), refused(1 + speed)


def case_powers():
    return refused(units.meter + units.meter**2), refused(speed + speed**2 * span)


def case_plain():
    other = quantity("w1", units.velocity, 7 * units.meter / units.second)
    return named(speed + other), named(2 * units.meter + 3 * units.meter)


def case_products():
    x = Symbol("x")
    return named(speed * span), named(speed**2), named(x + 1), named(1 + exp(speed / speed))


def case_converted():
    return str(units.convert_to(3 * units.kilometer + 20 * units.meter, units.meter)), str(units.convert_to(units.hour, units.second))
