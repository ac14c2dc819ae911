"""What is looked at in the patched WTForms."""

from datetime import date, datetime, time

from wtforms import Form
from wtforms.fields import DateField, DateTimeField, DateTimeLocalField, MonthField, TimeField


class Answers(dict):
    """What a browser sends."""

    def getlist(self, name):
        return self[name]


def form(field):
    return type("F", (Form,), {"a": field})


def read(field, *texts):
    """What the field makes of texts, each in a form of its own."""
    kind = form(field)
    return [kind(Answers(a=[text])).a.data for text in texts]


def looked_at(field, *texts):
    """Data, validity, how many errors, and what is rendered."""
    filled = form(field)(Answers(a=list(texts)))
    return filled.a.data, filled.validate(), len(filled.a.errors), filled.a._value()


MANY = ["%Y-%m-%d %H:%M", "%Y%m%d%H%M", "%d.%m.%Y %H.%M"]


def case_issue():
    field = DateTimeField(format=["%Y-%m-%d %H:%M", "%-d.%-m.%Y %H:%M"])
    return read(field, "2020-03-04 05:06", "4.3.2020 05:06", "soon")


def case_every_format():
    return read(DateTimeField(format=list(MANY)), "04.03.2020 05.06", "2020-03-04 05:06", "202003040506")


def case_only_one():
    return read(DateTimeField(format=["%Y/%m/%d"]), "2020/03/04", "2020-03-04 00:00:00")


def case_earliest_decides():
    ours, theirs = DateField(format=["%d/%m/%Y", "%m/%d/%Y"]), DateField(format=["%m/%d/%Y", "%d/%m/%Y"])
    moment = DateTimeField(format=["%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M", "%m/%d/%Y %M:%H"])
    texts = "03/04/2020", "13/04/2020", "04/13/2020"
    short = DateField(format=["%d/%m/%y", "%-m/%-d/%y"])
    moments = read(moment, "03/04/2020 05:06", "03/14/2020 05:06")
    return read(ours, *texts), read(theirs, *texts), moments, read(short, "03/04/20")


def case_dates():
    return read(DateField(format=["%Y-%m-%d", "%d.%m.%Y"]), "2020-03-04", "04.03.2020", "4 March")


def case_times():
    field = TimeField(None, None, ["%H:%M", "%I %p", "%H.%M.%S"])
    return read(field, "05:06", "5 PM", "05.06.07", "noon")


def case_months():
    return read(MonthField(format=["%Y-%m", "%m/%Y"]), "2020-03", "03/2020", "2020")


def case_local():
    return read(DateTimeLocalField(format=["%Y-%m-%dT%H:%M", "%d.%m.%Y"]), "2020-03-04T05:06", "04.03.2020")


def case_no_padding():
    moment = DateTimeField(format=["%Y-%m-%d", "%-m/%-d/%Y", "%-d.%-m.%Y %-H:%-M"])
    return read(moment, "3/4/2020", "4.3.2020 5:6"), read(DateField(format=["%Y", "%-d.%-m.%Y"]), "4.3.2020")


def case_none_fits():
    before = datetime(2019, 1, 1)
    filled = form(DateTimeField(format=list(MANY), default=before))(Answers(a=["soon"]))
    return filled.a.data, filled.validate(), looked_at(DateField(format=["%Y", "%m/%Y"]), "2020/3")


def case_nothing_entered():
    before = datetime(2019, 1, 1)
    return form(DateTimeField(format=list(MANY), default=before))(Answers()).a.data


def case_rendered():
    moment = form(DateTimeField(format=["%d.%m.%Y %H:%M", "%Y-%m-%d"]))(a=datetime(2020, 3, 4, 5, 6)).a
    day = form(DateField(format=["%-d.%-m.%Y", "%Y-%m-%d", "%Y"]))(a=date(2020, 3, 4)).a
    return moment._value(), str(moment()), day._value(), form(TimeField(format=["%H.%M", "%H"]))(a=time(5, 6)).a._value()


def case_rendered_as_entered():
    entered = form(DateTimeField(format=list(MANY)))(Answers(a=["202003040506"])).a
    nonsense = form(DateField(format=["%d.%m.%Y", "%Y-%m-%d"]))(Answers(a=["2020-3-4", "x"])).a
    return entered._value(), str(entered()), nonsense._value()


def case_rendered_empty():
    return form(DateField(format=["%d.%m.%Y", "%Y"]))().a._value()


def case_string():
    field = DateTimeField(format="%-m/%-d/%Y %H:%M")
    return read(field, "3/4/2020 05:06", "03/04/2020 05:06", "2020-03-04 05:06:00", "3/4/2020 05:06:07")


def case_defaults():
    return [
        read(DateTimeField(), "2020-03-04 05:06:07", "2020-03-04"),
        read(DateField(), "2020-03-04", "2020-03-04 05:06:07"),
        read(TimeField(), "05:06", "05:06:07"),
        read(MonthField(), "2020-03", "2020-03-04"),
        read(DateTimeLocalField(), "2020-03-04 05:06:07"),
    ]


def case_string_rendered():
    moment = datetime(2020, 3, 4, 5, 6)
    fields = DateTimeField(), DateTimeField(format="%d.%m.%y"), DateField(format="%-m/%Y"), TimeField(), MonthField()
    day = form(DateField(format="%d.%m.%Y"))(a=date(2020, 3, 4)).a._value()
    return [form(field)(a=moment).a._value() for field in fields], day


def case_string_as_entered():
    return looked_at(DateField(format="%m/%d %Y"), "5/7", "2008"), looked_at(TimeField(format="%H:%M"), "5:6")


def case_string_fails():
    before = date(2019, 1, 1)
    day = form(DateField(default=before))(Answers(a=["soon"]))
    moment = form(DateTimeField(default=datetime(2019, 1, 1)))(Answers(a=["soon"]))
    hour = form(TimeField(default=time(1)))(Answers(a=["soon"]))
    return [(each.a.data, each.validate(), len(each.a.process_errors)) for each in (day, moment, hour)]


def case_nothing_sent():
    before = date(2019, 1, 1)
    kind = form(DateField(default=before))
    return kind(Answers()).a.data, kind(Answers(b=["x"])).a.data, kind().a._value(), kind(a=None).a._value()


def case_by_position():
    kind = form(DateTimeField("Start", [], "%Y"))
    return read(DateTimeField("Start", [], "%Y"), "2020"), kind().a.label.text
