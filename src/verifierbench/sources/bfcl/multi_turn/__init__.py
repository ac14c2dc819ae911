"""The multi-turn categories: several user turns, tools that act on simulators, and a state that stays.

Upstream's entries are read as JSON, their simulators run in a guarded worker, and their gold calls are parsed, never
evaluated.
"""
