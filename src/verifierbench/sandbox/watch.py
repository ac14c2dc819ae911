"""Watch one child until it has answered, overstepped or run out of time; then have it ended.

The deadline, the byte counts and the channel are kept here, outside the child, and the child is always finished
through the zygote before this returns or raises: no path leaves it running. Nothing the child does can block this
side: descriptors are read only when readable, written only when writable.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import time
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from .channel import Channel, Violation
from .guest import wire
from .process import Zygote, ZygoteDied
from .published import OUTPUT_KEPT

_CHUNK = 1 << 16


class Overstep(Enum):
    """What made this side end the child before it had answered."""

    TIME = "time"
    OUTPUT = "output"
    FRAME = "frame"
    PROTOCOL = "protocol"


class Allowance(NamedTuple):
    """What one child may use: seconds of its own, and bytes."""

    seconds: float
    output_bytes: int
    frame_bytes: int


class Observation(NamedTuple):
    """What was seen of one child, from outside."""

    ending: wire.Ending
    overstep: Overstep | None
    remark: str
    frame: bytes
    output: bytes
    wall_seconds: float


def run_child(
    zygote: Zygote,
    order: wire.Order,
    inputs: tuple[int, int],
    allowance: Allowance,
    channel: Channel | None = None,
) -> Observation:
    """Fork a child for `order` on the (payload, code) descriptors, and watch it to its end.

    Raises ZygoteDied, and what the environment raises.
    """
    with _pipe() as result, _pipe() as output:
        descriptors = [*inputs, result.write_end, output.write_end]
        if channel:
            descriptors.append(channel.theirs.fileno())
        watch = _Watch(zygote, result.read_end, output.read_end, allowance, channel)
        zygote.order(order, descriptors)
        try:
            result.close_write_end()
            output.close_write_end()
            if channel:
                channel.theirs.close()
            watch.until_settled()
        finally:
            ending = zygote.finish()
        watch.read_rest_of_output()
        return watch.observation(ending)


class _Pipe:
    def __init__(self) -> None:
        self.read_end, self.write_end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        # The child's own end blocks: a verifier that prints a lot waits for us, it does not fail.
        os.set_blocking(self.write_end, True)

    def close_write_end(self) -> None:
        if self.write_end >= 0:
            os.close(self.write_end)
            self.write_end = -1


@contextlib.contextmanager
def _pipe() -> Iterator[_Pipe]:
    pipe = _Pipe()
    try:
        yield pipe
    finally:
        pipe.close_write_end()
        os.close(pipe.read_end)


class _Watch:
    def __init__(self, zygote: Zygote, result: int, output: int, allowance: Allowance, channel: Channel | None) -> None:
        self._result, self._output, self._allowance, self._channel = result, output, allowance, channel
        self._frame, self._kept, self._printed = bytearray(), bytearray(), 0
        self._settled = False
        self._overstep: Overstep | None = None
        self._remark = ""
        self._poll = select.poll()
        self._handlers: dict[int, Callable[[], None]] = {
            result: self._read_result,
            output: self._read_output,
            zygote.control.fileno(): self._zygote_spoke,
        }
        if channel:
            self._handlers[channel.ours.fileno()] = self._serve_channel
        for fd in self._handlers:
            self._poll.register(fd, select.POLLIN)
        self._started = time.monotonic()
        self._wall = 0.0

    def until_settled(self) -> None:
        """Return once the result pipe is closed or the child has overstepped."""
        while not self._settled:
            left = self._allowance.seconds - self._own_seconds()
            if left <= 0:
                self._end(Overstep.TIME, f"{self._allowance.seconds:g} s of its own time are used up")
                break
            for fd, _ in self._poll.poll(math.ceil(left * 1000)):
                if fd in self._handlers:
                    self._handlers[fd]()
        self._wall = self._own_seconds()

    def _own_seconds(self) -> float:
        elsewhere = self._channel.seconds if self._channel else 0.0
        return time.monotonic() - self._started - elsewhere

    def _end(self, overstep: Overstep, remark: str) -> None:
        self._settled, self._overstep, self._remark = True, self._overstep or overstep, self._remark or remark

    def _ignore(self, fd: int) -> None:
        self._poll.unregister(fd)
        del self._handlers[fd]

    def _read_result(self) -> None:
        data = os.read(self._result, _CHUNK)
        self._frame += data
        if not data:
            self._settled = True
        elif len(self._frame) > self._allowance.frame_bytes:
            self._end(Overstep.FRAME, f"its answer is longer than {self._allowance.frame_bytes} bytes")

    def _read_output(self) -> None:
        data = os.read(self._output, _CHUNK)
        if not data:
            self._ignore(self._output)
        self._count(data)

    def _count(self, data: bytes) -> None:
        self._printed += len(data)
        self._kept += data[: OUTPUT_KEPT - len(self._kept)]
        if self._printed > self._allowance.output_bytes:
            self._end(Overstep.OUTPUT, f"it printed more than {self._allowance.output_bytes} bytes")

    def read_rest_of_output(self) -> None:
        """Take what a finished child left in its output pipe."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._output, _CHUNK):
                self._count(data)

    def _zygote_spoke(self) -> None:
        raise ZygoteDied("it ended in the middle of a case")

    def _serve_channel(self) -> None:
        channel = self._channel
        assert channel is not None
        fd = channel.ours.fileno()
        try:
            alive = channel.send() if channel.has_more_to_send else channel.receive()
        except Violation as violation:
            self._end(Overstep.PROTOCOL, str(violation))
            return
        if not alive:
            self._ignore(fd)
        else:
            self._poll.modify(fd, select.POLLOUT if channel.has_more_to_send else select.POLLIN)

    def observation(self, ending: wire.Ending) -> Observation:
        """Return what was seen."""
        return Observation(ending, self._overstep, self._remark, bytes(self._frame), bytes(self._kept), self._wall)
