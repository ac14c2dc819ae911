"""The telephone company: lines, bills and roaming of a customer whose own phone is part of the state."""
