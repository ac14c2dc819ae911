#!/bin/bash
cat > tariff.py <<'EOF'
"""Parking fees in cents."""


def fee(minutes):
    """What a stay of that many minutes costs."""
    if minutes <= 30:
        return 0
    hours = -(-(minutes - 30) // 60)
    return hours * 180


def daily(minutes):
    """What a stay costs where a day has a highest price."""
    days, rest = divmod(minutes, 1440)
    return days * 1500 + min(fee(rest), 1500)
EOF
