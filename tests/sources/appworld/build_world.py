"""A world and three tasks of our own in AppWorld's format: rows, requests and evaluators written for these tests.

Run as `python build_world.py PACKAGES GUEST ROOT` in a process of its own, with AppWorld's packages and the stand-ins
for what it never needs here. `ROOT/data` then has what `appworld download data` would bring, with our rows in it.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

PERSON = {
    "first_name": "Ilse",
    "last_name": "Brandt",
    "email": "ilse.brandt@fernhill-tools.org",
    "phone_number": "2075550143",
}
OTHER = {
    "first_name": "Omar",
    "last_name": "Lund",
    "email": "omar.lund@fernhill-tools.org",
    "phone_number": "2075550188",
}
BORN = {PERSON["email"]: "1988-04-02", OTHER["email"]: "1979-11-23"}
PASSWORDS = {PERSON["email"]: "tram7!linden", OTHER["email"]: "kiln4+harbour"}
NOW = "2023-05-18T12:00:00"

NOTES = (
    ("Tomato beds", "Water every other day.", ["garden"], True),
    ("Boiler manual", "The red valve closes the heating.", ["house"], False),
    ("Hedge", "Cut it before June.", ["garden", "house"], True),
    ("Old tram times", "Line 4 at ten past.", ["travel"], False),
    ("Seed list", "Beans, peas, chard.", ["garden"], False),
    ("Guest wifi", "Name and key are on the router.", ["house"], True),
)

_LOGIN = """
def solution(apis, requester):
    passwords = {row["account_name"]: row["password"] for row in apis.supervisor.show_account_passwords()}
    me = apis.supervisor.show_profile()
    token = apis.simple_note.login(username=me["email"], password=passwords["simple_note"])["access_token"]
"""
_FIND = """    def note_id(title):
        found = apis.simple_note.search_notes(query=title, access_token=token)
        return next(note["note_id"] for note in found if note["title"] == title)
"""
_EVALUATE = '''
def evaluate(test, public_data, private_data, main_user, models, ground_truth_answer):
    with test("""the answer is the right one"""):
        test.answer(models.end.supervisor.Task.all()[0].to_dict(humanize=True)["answer"], ground_truth_answer)
'''
_CHANGED = '''    with test("""only notes have changed"""):
        test.case(models.changed_model_names(), "==", {expected})
'''

TASKS: dict[str, dict[str, Any]] = {
    "own0001_1": {
        "instruction": "How many of my pinned notes in Simple Note have the tag garden?",
        "answer": 2,
        "solution": _LOGIN
        + """    notes = apis.simple_note.search_notes(tags=["garden"], pinned=True, access_token=token)
    apis.supervisor.complete_task(answer=len(notes))
""",
        "evaluation": _EVALUATE + _CHANGED.format(expected="set()"),
        "labels": ["no_op_fail", "no_op_pass"],
    },
    "own0002_1": {
        "instruction": "In Simple Note, pin my note Boiler manual and delete my note Old tram times.",
        "answer": None,
        "solution": _LOGIN
        + _FIND
        + """    apis.simple_note.update_note(note_id=note_id("Boiler manual"), pinned=True, access_token=token)
    apis.simple_note.delete_note(note_id=note_id("Old tram times"), access_token=token)
    apis.supervisor.complete_task()
""",
        "evaluation": _EVALUATE
        + _CHANGED.format(expected='{"simple_note.Note"}')
        + '''    added, updated, removed = models.changed_records("simple_note.Note")
    with test("""one note is pinned and one is gone"""):
        test.case(len(added), "==", 0)
        test.case([(note.title, note.pinned) for note in updated], "==", [("Boiler manual", True)])
        test.case([note.title for note in removed], "==", ["Old tram times"])
''',
        "labels": ["no_op_fail", "no_op_fail", "no_op_fail"],
    },
    "own0003_1": {
        "instruction": (
            "Make a new note in Simple Note with the title Allotment key and the content Hangs behind the shed."
        ),
        "answer": None,
        "solution": _LOGIN
        + """    apis.simple_note.create_note(
        title="Allotment key", content="Hangs behind the shed.", access_token=token
    )
    apis.supervisor.complete_task()
""",
        "evaluation": _EVALUATE
        + _CHANGED.format(expected='{"simple_note.Note"}')
        + '''    added, updated, removed = models.changed_records("simple_note.Note")
    with test("""one note was made"""):
        test.case((len(updated), len(removed)), "==", (0, 0))
        test.case([note.title for note in added], "==", ["Allotment key"])
''',
        "labels": ["no_op_fail", "no_op_fail", "no_op_fail"],
    },
}
"""Every request is of ours; the last evaluator overlooks a note's content, as upstream's own do here and there."""


def main(packages: str, guest: str, root: str) -> None:
    sys.path[:0] = [packages, guest]
    os.environ["APPWORLD_ROOT"] = os.environ["APPWORLD_CACHE"] = root
    from hollow import install

    install()
    from appworld.apps import get_all_apps
    from appworld.collections.api_docs import ApiDocCollection
    from appworld.collections.models import ModelCollection
    from appworld.common.utils import freeze_time

    data = Path(root) / "data"
    (data / "base_dbs").mkdir(parents=True)
    (data / "version.txt").write_text("0.1.0")
    (data / "datasets").mkdir()
    (data / "datasets" / "train.txt").write_text("\n".join(TASKS))
    (data / "datasets" / "dev.txt").write_text("")
    docs = data / "api_docs" / "standard"
    docs.mkdir(parents=True)
    for app, known in ApiDocCollection.build(tuple(get_all_apps(skip_admin=True))).items():
        text = json.dumps({name: {**doc, "canary_string": ""} for name, doc in known.items()})
        (docs / f"{app}.json").write_text(text)
    with freeze_time(__import__("datetime").datetime(2023, 1, 1)):
        base = ModelCollection.load(to_db_home_path=str(data / "base_dbs"), load_apps=get_all_apps(), create_db=True)
        _fill(base)
        base.close()
        for name, task in TASKS.items():
            _task(data, name, task, get_all_apps())


def _fill(models: Any) -> None:
    for person in (PERSON, OTHER):
        main = models.admin.MainUser.create_save(**person, birthday=BORN[person["email"]], sex=None)
        models.admin.AccountPassword.create_save(
            main_user_id=main.id, account_name="simple_note", password=PASSWORDS[person["email"]]
        )
        user = models.simple_note.User.create_save(
            first_name=person["first_name"],
            last_name=person["last_name"],
            email=person["email"],
            password=PASSWORDS[person["email"]],
            verified=True,
        )
        for title, content, tags, pinned in NOTES if person is PERSON else NOTES[3:]:
            models.simple_note.Note.create_save(
                user_id=user.id, title=title, content=content, tags=tags, pinned=pinned, data=None
            )


def _task(data: Path, name: str, task: dict[str, Any], apps: list[str]) -> None:
    from appworld.collections.models import ModelCollection

    folder = data / "tasks" / name
    truth = folder / "ground_truth"
    truth.mkdir(parents=True)
    specs = {"instruction": task["instruction"], "supervisor": PERSON, "datetime": NOW, "db_version": "0.1.0"}
    (folder / "specs.json").write_text(json.dumps(specs))
    models = ModelCollection.load(
        to_db_home_path=f":memory:making-{name}", from_db_home_path=str(data / "base_dbs"), load_apps=apps
    )
    boss = models.supervisor.Supervisor.create_save(**PERSON, birthday=BORN[PERSON["email"]], sex=None)
    models.supervisor.Task.create_save(supervisor_id=boss.id, instruction=task["instruction"])
    models.supervisor.AccountPassword.create_save(
        supervisor_id=boss.id, account_name="simple_note", password=PASSWORDS[PERSON["email"]]
    )
    models.save(str(folder / "dbs"), format="changes", app_names=list(apps), save_model_hashes=True)
    models.close()
    requirements = [part.partition('"""')[0] for part in task["evaluation"].split('with test("""')[1:]]
    tests = [{"requirement": said, "label": label} for said, label in zip(requirements, task["labels"], strict=True)]
    for file, content in {
        "metadata": {"difficulty": 1, "num_apps": 1, "num_apis": 4, "num_api_calls": 5, "num_solution_code_lines": 6},
        "public_data": {},
        "private_data": {},
        "answer": task["answer"],
        "test_data": tests,
        "required_apps": ["simple_note"],
        "api_calls": [],
    }.items():
        (truth / f"{file}.json").write_text(json.dumps(content))
    for file, code in {
        "evaluation": task["evaluation"],
        "solution": task["solution"],
        "compiled_solution": task["solution"],
    }.items():
        (truth / f"{file}.py").write_text(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
