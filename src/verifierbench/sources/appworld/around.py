"""What can be called beside any task: looks, calls that fail, and changes nobody asked for.

Nothing here is believed: every case made of these is executed, and a call that does otherwise makes no case.
"""

from __future__ import annotations

import msgspec

from verifierbench.families.state.operators import Call

from .reading import TOKEN, Reading, app_of

_INTRUSIONS = (
    Call("simple_note.create_note", {"title": "To look at later", "content": "Nothing yet."}),
    Call("todoist.create_project", {"name": "To look at later"}),
    Call("spotify.create_playlist", {"title": "To hear later"}),
    Call("file_system.create_directory", {"directory_path": "~/to_look_at_later/"}),
)
"""One change for some apps; every app's account can be renamed besides."""


def looks(reading: Reading) -> tuple[Call, ...]:
    """Calls that look at the person's data, in the apps gold logs in to."""
    own = (f"{app_of(login.name)}.show_account" for login in reading.logins)
    calls = (
        Call("supervisor.show_addresses", {}),
        Call("supervisor.show_payment_cards", {}),
        *(with_token(reading, Call(name, {})) for name in dict.fromkeys(own) if name in reading.definitions),
    )
    return tuple(call for call in calls if _does(reading, call, changed=False))


def intrusions(reading: Reading) -> tuple[Call, ...]:
    """Changes in the apps gold logs in to that nobody asked for."""
    apps = dict.fromkeys(app_of(login.name) for login in reading.logins)
    renamed = tuple(Call(f"{app}.update_account_name", {"first_name": "Robin"}) for app in apps)
    ours = tuple(call for call in _INTRUSIONS if app_of(call.name) in apps)
    return tuple(call for call in (with_token(reading, each) for each in (*ours, *renamed)) if _does(reading, call))


def without_token(reading: Reading, call: Call) -> Call | None:
    """A call that fails because its token is left out; None where it takes none."""
    other = Call(call.name, {name: value for name, value in call.arguments.items() if name != TOKEN})
    return other if other.arguments != call.arguments and _fails(reading, other) else None


def mistaken(login: Call) -> Call:
    """A login with a password that is not the person's."""
    return Call(login.name, {**login.arguments, "password": "forgotten!"})


def with_token(reading: Reading, call: Call) -> Call:
    """A call with the token of its app."""
    token = reading.token(app_of(call.name))
    return msgspec.structs.replace(call, arguments={**call.arguments, TOKEN: token}) if token else call


def _does(reading: Reading, call: Call, *, changed: bool = True) -> bool:
    """Whether a call made after gold's succeeds, and changes something or nothing."""
    result = reading.play((*reading.calls, call))["results"][-1]
    return "error" not in result and result["changed"] is changed


def _fails(reading: Reading, call: Call) -> bool:
    result = reading.play((call,))["results"][0]
    return "error" in result and not result["changed"]
