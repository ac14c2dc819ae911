"""Code that runs as pid 1 of an agent's cell: standard library only, no project imports beyond the sandbox's own.

Apart from `guest`, whose bytes are part of every decision's identity: how an agent is confined changes none.
"""
