"""A small interpreter of classic BPF, so that the filter of an architecture we cannot run is evaluated at least."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from verifierbench.sandbox.seccomp import Instruction


def run(program: Sequence[Instruction], *, arch: int, number: int, arguments: Sequence[int] = ()) -> tuple[int, int]:
    """Return the filter's verdict on a call, and how many instructions it took; raises on a malformed program."""
    padded = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("<IIQ6Q", number, arch, 0x1234, *padded)
    accumulator, position, steps = 0, 0, 0
    while True:
        code, if_true, if_false, operand = program[position]
        position += 1
        steps += 1
        if code == 0x20:  # load a word of the call's description
            (accumulator,) = struct.unpack_from("<I", data, operand)
        elif code == 0x54:  # and
            accumulator &= operand
        elif code == 0x15:  # jump if equal
            position += if_true if accumulator == operand else if_false
        elif code == 0x35:  # jump if greater or equal
            position += if_true if accumulator >= operand else if_false
        elif code == 0x06:  # return
            return operand, steps
        else:
            raise ValueError(f"instruction {code:#x} is not one this project uses")
