"""What can be called beside any task, by the class of simulator that has the tool: looks, failures and intrusions.

Nothing here is believed: every case made of these is played, and a call that does otherwise makes no case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


LOOKS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "GorillaFileSystem": (_call("pwd"), _call("ls"), _call("du", human_readable=True), _call("find")),
    "MathAPI": (_call("add", a=1, b=2), _call("max_value", numbers=[3, 16])),
    "MessageAPI": (_call("list_users"), _call("message_get_login_status")),
    "TicketAPI": (_call("ticket_get_login_status"),),
    "TradingBot": (_call("get_current_time"), _call("get_available_stocks", sector="Technology")),
    "TwitterAPI": (_call("posting_get_login_status"), _call("get_tweet_comments", tweet_id=1)),
    "VehicleControlAPI": (
        _call("displayCarStatus", option="fuel"),
        _call("displayCarStatus", option="climate"),
        _call("gallon_to_liter", gallon=2),
    ),
}
PROBES: Mapping[str, tuple[dict[str, Any], ...]] = {
    "GorillaFileSystem": (_call("cat", file_name="nowhere.txt"), _call("cd", folder="nowhere")),
    "MathAPI": (_call("divide", a=1, b=0),),
    "MessageAPI": (_call("get_user_id", user="Nobody"),),
    "TicketAPI": (_call("get_ticket", ticket_id=31),),
    "TradingBot": (_call("get_stock_info", symbol="NONE"), _call("cancel_order", order_id=31)),
    "TwitterAPI": (_call("get_tweet", tweet_id=3131),),
    "VehicleControlAPI": (_call("displayCarStatus", option="wheels"), _call("fillFuelTank", fuelAmount=500)),
}
INTRUSIONS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "GorillaFileSystem": (_call("mkdir", dir_name="misc"), _call("touch", file_name="notes.tmp")),
    "MathAPI": (),
    "MessageAPI": (_call("add_contact", user_name="Zoe"),),
    "TicketAPI": (_call("ticket_login", username="root", password="toor"),),  # noqa: S106  # nobody's
    "TradingBot": (_call("fund_account", amount=50), _call("add_to_watchlist", stock="MSFT")),
    "TwitterAPI": (_call("mention", tweet_id=0, mentioned_usernames=["@all"]),),
    "VehicleControlAPI": (_call("setHeadlights", mode="on"), _call("adjustClimateControl", temperature=18)),
}


def around(table: Mapping[str, tuple[dict[str, Any], ...]], classes: Iterable[str]) -> tuple[dict[str, Any], ...]:
    """The calls of a table for some classes."""
    return tuple(call for name in classes for call in table[name])
