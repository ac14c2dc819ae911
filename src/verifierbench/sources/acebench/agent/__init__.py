"""The agent categories: one request that takes several calls, made in upstream's simulated phone or airline.

Upstream's entries are read as JSON and its simulators run in a guarded worker. What upstream lets its solver find out
step by step is a task of one turn here: the calls of the whole session are given at once, and judged by what they
bring about.
"""
