"""The airline: flights are booked, changed and cancelled, and what the rules do not allow is declined."""
