"""A busy machine is not a defect: no example has a deadline."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "environments", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("environments")
