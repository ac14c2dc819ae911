"""What each of gold's calls repairs: the value it leaves behind, the sentence of the manual, the words of a request.

Gold is read by its tools, for what a tool is called for is the same in every task. Of a repair that takes several calls
one is the repair, and the others belong to it: a payment to its request, a restart to the settings it applies. Gold's
order is upstream's within the phone and within the company. The company's side comes first, but for a suspended line:
its suspension is lifted when the phone is in order; and one restart comes last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

from verifierbench.core import Inconsistent
from verifierbench.families.guest.diffs import matches
from verifierbench.families.state.operators import Call

from ..scene import Scene

Kind: TypeAlias = Literal["data", "mms", "service", "transfer"]
TRANSFER = "transfer_to_human_agents"
REQUEST, PAY, RESUME, REBOOT = "send_payment_request", "make_payment", "resume_line", "reboot_device"
REFUEL, ROAM, MODE, RESET = "refuel_data", "enable_roaming", "set_network_mode_preference", "reset_apn_settings"

WISHES: dict[Kind, str] = {
    "data": "get excellent internet speed on your phone",
    "mms": "successfully send an MMS message",
    "service": "when the status bar shows that you have signal",
}
"""Words of the instruction that say when the customer is content."""
TESTS: dict[Kind, str] = {"data": "run_speed_test", "mms": "can_send_mms", "service": "check_status_bar"}


class Repair(NamedTuple):
    """What a call is for; a pattern names arguments in braces, and `line` and `bill` for their places."""

    clause: str
    text: str
    words: str
    """Words of the sentence that asks for it."""
    path: str
    guide: str = ""
    """How the customer is asked for it; empty for what the company does itself."""


_DEVICE = "/user/device"
REPAIRS = {
    "toggle_airplane_mode": Repair(
        "airplane",
        "Airplane Mode is off.",
        "`toggle_airplane_mode()` to turn it OFF",
        f"{_DEVICE}/airplane_mode",
        "turn Airplane Mode off",
    ),
    "toggle_data": Repair(
        "data",
        "Mobile data is on.",
        "`toggle_data()` to turn mobile data ON",
        f"{_DEVICE}/data_enabled",
        "switch mobile data on",
    ),
    "toggle_roaming": Repair(
        "roaming_on",
        "Data Roaming is on, for the customer is abroad.",
        "`toggle_roaming()` to ensure Data Roaming is ON",
        f"{_DEVICE}/roaming_enabled",
        "switch Data Roaming on",
    ),
    "toggle_data_saver_mode": Repair(
        "saver",
        "Data Saver mode is off.",
        "`toggle_data_saver_mode()` to turn it OFF",
        f"{_DEVICE}/data_saver_mode",
        "turn the Data Saver off",
    ),
    "disconnect_vpn": Repair(
        "vpn",
        "The slow VPN is disconnected.",
        "`disconnect_vpn()` to disconnect the VPN",
        f"{_DEVICE}/vpn_connected",
        "disconnect the VPN",
    ),
    MODE: Repair(
        "mode",
        "The phone may use 4G and 5G.",
        'with the mode `"4g_5g_preferred"`',
        f"{_DEVICE}/network_mode_preference",
        "set the network mode to 4G/5G preferred",
    ),
    "toggle_wifi_calling": Repair(
        "calling",
        "Wi-Fi Calling is off.",
        "`toggle_wifi_calling()` to turn it OFF",
        f"{_DEVICE}/wifi_calling_enabled",
        "turn Wi-Fi Calling off",
    ),
    RESET: Repair(
        "apn",
        "The APN settings are the default ones.",
        "shows MMSC URL is not set, guide",
        f"{_DEVICE}/active_apn_settings/mmsc_url",
        "reset the APN settings",
    ),
    "grant_app_permission": Repair(
        "{permission}",
        "The messaging app has the permission for {permission}.",
        "to grant the necessary permissions",
        f"{_DEVICE}/app_statuses/{{app_name}}/permissions/{{permission}}",
        "give the messaging app the permission for {permission}",
    ),
    "reseat_sim_card": Repair(
        "sim",
        "The SIM card is in its place.",
        'If it shows "Missing", guide',
        f"{_DEVICE}/sim_card_missing",
        "take the SIM card out and put it back in",
    ),
    REFUEL: Repair(
        "refuelled",
        "The line gets 2.0 GB of data.",
        "Apply the refueled data to the line",
        "/lines/{line}/data_refueling_gb",
    ),
    ROAM: Repair(
        "roaming_line",
        "The line is roaming enabled, for the customer is abroad.",
        "you should enable it at no cost",
        "/lines/{line}/roaming_enabled",
    ),
    PAY: Repair(
        "paid",
        "The overdue bill is paid.",
        "to lift the suspension after the user has paid all",
        "/bills/{bill}/status",
    ),
    RESUME: Repair(
        "lift",
        "The suspension is lifted, and not before the overdue bill is paid.",
        "allowed to lift the suspension after the user has paid all",
        "/lines/{line}/status",
    ),
}
WRITES = (*REPAIRS, REQUEST, REBOOT)
LOOKS: dict[str, tuple[str, dict[str, Any]]] = {
    "toggle_data_saver_mode": ("check_data_restriction_status", {}),
    "disconnect_vpn": ("check_vpn_status", {}),
    MODE: ("check_network_mode_preference", {}),
    "toggle_wifi_calling": ("check_wifi_calling_status", {}),
    RESET: ("check_apn_settings", {}),
    "grant_app_permission": ("check_app_permissions", {"app_name": "messaging"}),
    "reseat_sim_card": ("check_sim_status", {}),
}
"""What shows the customer that a repair is needed; the state of the network shows the others."""
FIXES = tuple(name for name, repair in REPAIRS.items() if repair.guide)
"""What the customer does on the phone, beside restarting it."""
SERVICE_PATH = f"{_DEVICE}/network_connection_status"
MMS_MODES = ("4g_5g_preferred", "4g_only", "3g_only")
_COMPANY = (REFUEL, ROAM, REQUEST, PAY, RESUME)
"""What the company does, and the payment, in this order."""


class Step(NamedTuple):
    """One of gold's writes, in our order."""

    tag: str
    call: Call
    clause: str

    @property
    def guide(self) -> str:
        """How the customer is asked for it."""
        if self.call.name == REBOOT:
            return "restart the phone"
        repair = REPAIRS.get(self.call.name)
        return repair.guide.format(**self.call.arguments) if repair is not None else ""


def kind_of(scene: Scene) -> Kind:
    """What kind of trouble it is; a transfer is what gold ends in where nothing can be repaired here."""
    if any(call["name"] == TRANSFER for call in scene.entry.gold):
        return "transfer"
    for kind, words in WISHES.items():
        if words in scene.instruction:
            return kind
    raise Inconsistent(f"{scene.entry.id}: the instruction does not say when the customer is content")


def steps(scene: Scene) -> tuple[Step, ...]:
    """Gold's writes."""
    kind, calls = kind_of(scene), _ordered(scene)
    return tuple(
        Step(f"write_{place}", Call(name, arguments, f"write_{place}", _role(name)), _clause(kind, name, arguments))
        for place, (name, arguments) in enumerate(calls)
    )


def has(scene: Scene, name: str) -> bool:
    """Whether gold calls a tool."""
    return any(call["name"] == name for call in scene.entry.gold)


def line_id(scene: Scene) -> str:
    """The line of the phone number the customer gives."""
    return str(line(scene)["line_id"])


def line(scene: Scene) -> Any:
    """Its record."""
    return scene.initial["lines"][place_of_line(scene)]


def number(scene: Scene) -> str:
    """The phone number the customer gives."""
    return str(scene.initial["user"]["surroundings"]["phone_number"])


def place_of_line(scene: Scene) -> int:
    """Where it stands among the lines."""
    return next(n for n, one in enumerate(scene.initial["lines"]) if one["phone_number"] == number(scene))


def customer_record(scene: Scene) -> Any:
    """The customer's record."""
    return next(one for one in scene.initial["customers"] if one["customer_id"] == scene.row.user)


def overdue(scene: Scene) -> str:
    """The customer's overdue bill."""
    return str(scene.initial["bills"][place_of_bill(scene)]["bill_id"])


def place_of_bill(scene: Scene) -> int:
    """Where it stands among the bills."""
    mine = [n for n, one in enumerate(scene.initial["bills"]) if one["customer_id"] == scene.row.user]
    return next(n for n in mine if scene.initial["bills"][n]["status"] == "Overdue")


def abroad(scene: Scene) -> bool:
    """Whether the customer is abroad."""
    return bool(scene.initial["user"]["surroundings"]["is_abroad"])


def left_at(scene: Scene, repair: Repair, arguments: dict[str, Any]) -> tuple[str, Any]:
    """Path and value a repair leaves; raises `Inconsistent` where gold leaves nothing there."""
    places = {"line": place_of_line(scene), "bill": place_of_bill(scene) if "{bill}" in repair.path else ""}
    path = repair.path.format(**places, **{key: part for key, part in arguments.items() if isinstance(part, str)})
    for change in scene.played.end:
        if matches(change["path"], path):
            return path, change["new"]
    raise Inconsistent(f"{scene.entry.id}: gold leaves {path} as it was")


def _ordered(scene: Scene) -> Iterator[tuple[str, dict[str, Any]]]:
    made = [(call["name"], call["arguments"]) for call in scene.entry.gold if call["name"] in WRITES]
    company = [one for name in _COMPANY for one in made if one[0] == name]
    phone = [one for one in made if one[0] not in (*_COMPANY, REBOOT)]
    yield from (*phone, *company) if has(scene, REQUEST) else (*company, *phone)
    yield from [one for one in made if one[0] == REBOOT][:1]


def _role(name: str) -> str:
    return "assistant" if name in (REFUEL, ROAM, REQUEST, RESUME) else "user"


def _clause(kind: Kind, name: str, arguments: dict[str, Any]) -> str:
    """In trouble with service everything but the bill serves one end: that there is a signal."""
    if name == REQUEST:
        return REPAIRS[PAY].clause
    if kind == "service" and name not in (PAY, RESUME):
        return "service"
    return REPAIRS[RESET if name == REBOOT else name].clause.format(**arguments)
