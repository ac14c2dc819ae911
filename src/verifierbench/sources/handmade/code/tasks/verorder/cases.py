"""What is looked at in the patched verorder."""

from verorder import Version, latest, satisfies
from verorder.choose import latest as latest_from_choose


def ordered(*texts):
    return [str(version) for version in sorted(map(Version, reversed(texts)))]


def order(one, other):
    one, other = Version(one), Version(other)
    return (one < other, one <= other, one == other, one != other, one > other, one >= other)


def case_issue():
    return latest(["1.0.0-rc.9", "1.0.0-rc.10"], pre=True), order("1.0.0-rc.9", "1.0.0-rc.10")


def case_numbers():
    return ordered("1.0.0-2", "1.0.0-10", "1.0.0-010a", "1.0.0-rc.2.9", "1.0.0-rc.2.11")


def case_digits_before_text():
    return ordered("2.0.0-99", "2.0.0-a", "2.0.0-a.7", "2.0.0-a.77", "2.0.0-a.-", "2.0.0-a.b")


def case_capitals():
    return ordered("1.0.0-7", "1.0.0-RC", "1.0.0-rc")


def case_longer_is_later():
    return ordered("1.0.0-rc", "1.0.0-rc.1", "1.0.0-rc.1.0", "1.0.0-rc.1.x", "1.0.0-rc.2")


def case_mixed_parts():
    return ordered("1.0.0-1.a", "1.0.0-a.1", "1.0.0-a.a", "1.0.0-rc9", "1.0.0")


def case_text_with_digits():
    return ordered("1.0.0-rc10", "1.0.0-rc9", "1.0.0-x.a10", "1.0.0-x.a9")


def case_latest_numbers():
    return latest(["3.0.0-b.2", "3.0.0-b.12", "3.0.0-b.9"], ">3.0.0-b.2", pre=True)


def case_build_equal():
    return order("1.0.0+linux", "1.0.0+mac"), order("1.0.0-rc.1", "1.0.0-rc.1+5")


def case_build_hash():
    return len({Version("1.0.0"), Version("1.0.0+a"), Version("1.0.0+b"), Version("1.0.1+a")})


def case_build_in_conditions():
    return satisfies("1.0.0+linux", "==1.0.0"), satisfies("1.0.0", ">1.0.0+a"), satisfies("1.0.0+z", "!=1.0.0+a")


def case_build_does_not_order():
    return order("1.0.0+zzz", "1.0.1+aaa"), order("1.0.0+b", "1.0.0+a")


def case_release_order():
    return ordered("0.9.9", "1.0.0-alpha", "1.0.0-beta", "1.0.0", "1.0.1", "1.10.0", "10.0.0")


def case_equal_hash():
    return hash(Version("1.0.0-rc.1")) == hash(Version("1.0.0-rc.1")), order("1.0.0-rc.1", "1.0.0-rc.1")


def case_parts():
    version = Version("1.2.3-rc.010+linux.7")
    return version.release, version.pre, version.build, str(version), repr(version), version.text


def case_refused():
    refused = []
    for text in ("1.2", "1.2.3-", "1.2.3-a..b", "1.2.3+", "01.2.3.4", " 1.2.3"):
        try:
            Version(text)
        except ValueError:
            refused.append(text)
    return refused


def case_accepted():
    return [str(Version(text)) for text in ("01.2.3", "1.2.3-01", "1.2.3--", "1.2.3-x-y.z")]


def case_strangers():
    try:
        Version("1.0.0") < "1.0.0"
    except TypeError:
        return Version("1.0.0") == "1.0.0", Version("1.0.0") != None


def case_latest():
    return latest(iter(["1.0.0", "1.2.0-rc.1", "1.1.0"])), latest([]), latest(texts=["1.0.0"], wanted="<1.0.0", pre=True)


def case_first_of_equals():
    return latest(["1.0.0", "0.9.0", "1.0.0"]), latest_from_choose(["1.0.0-rc.1"])
