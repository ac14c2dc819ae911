"""A busy machine is not a defect: no example has a deadline."""

from hypothesis import settings

settings.register_profile("measures", deadline=None, max_examples=60)
settings.load_profile("measures")
