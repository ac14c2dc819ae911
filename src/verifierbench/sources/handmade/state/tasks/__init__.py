"""The errands at the desk, one module each."""

from ..house import Errand
from .borrow_planer import ERRAND as BORROW_PLANER
from .move_booking import ERRAND as MOVE_BOOKING
from .pay_then_renew import ERRAND as PAY_THEN_RENEW
from .renew_refused import ERRAND as RENEW_REFUSED
from .return_late import ERRAND as RETURN_LATE
from .waive_one import ERRAND as WAIVE_ONE

ERRANDS: tuple[Errand, ...] = (
    PAY_THEN_RENEW,
    BORROW_PLANER,
    RENEW_REFUSED,
    RETURN_LATE,
    MOVE_BOOKING,
    WAIVE_ONE,
)
