"""What is looked at in the patched sqlparse: names that begin with the letter e, and numbers with an exponent."""

import sqlparse
from sqlparse import sql


def tokens(text):
    """Types and texts of the tokens that are no spaces."""
    (statement,) = sqlparse.parse(text)
    return [f"{token.ttype} {token.value}".removeprefix("Token.") for token in statement.flatten() if token.value.strip()]


def tree(token):
    """What a statement was grouped into: names of classes, or the types of single tokens."""
    if token.is_group:
        return [type(token).__name__, *(tree(part) for part in token.tokens if not part.is_whitespace)]
    return str(token.ttype).removeprefix("Token.")


def parsed(text):
    return tree(sqlparse.parse(text)[0])


def case_issue():
    shown = sqlparse.format("select e1, E2x as b from e10 where e1 > 1e3", identifier_case="upper")
    return shown, str(sqlparse.parse("e1")[0].tokens[0].ttype)


def case_short():
    return [tokens(text) for text in ("e1", "e0 e9", "e12345", "select e1 from e2", "e1=e2", "(e1)", "1 e1", "e1,e2")]


def case_capitals():
    return [tokens(text) for text in ("E1", "E0 E9", "E12345", "SELECT E1 FROM E2", "E1=E2")]


def case_longer():
    return [tokens(text) for text in ("e1_total", "e2e", "e1a", "e1$b", "e9_9", "e10x20e30", "e1é", "e1e1")]


def case_minus_behind():
    return tokens("e-5"), tokens("a = e-1"), tokens("select e-12 from b")


def case_minus_before():
    return tokens("-e1"), tokens("a = -e12"), tokens("(-e1)"), tokens("2 -e1"), tokens("a,-e3 b")


def case_groups():
    texts = ("e1", "select e1, e2 from e3 e4", "e1 as e2", "e1 > 5", "e1 + e2", "a where e1 = 2 and e2 = 3", "e1 desc")
    return [parsed(text) for text in texts]


def case_asked_for_names():
    (statement,) = sqlparse.parse("select e1 e2, a as e3, b.e4 from e5")
    (columns,) = [token for token in statement.tokens if isinstance(token, sql.IdentifierList)]
    return [(each.get_name(), each.get_real_name(), each.get_alias()) for each in columns.get_identifiers()]


def case_formatted():
    text = "select e1, e2 from e3 where e1 = 1e3 and e2e > e4 - 2"
    return sqlparse.format(text, reindent=True), sqlparse.format(text, identifier_case="upper", keyword_case="upper")


def case_numbers():
    texts = ("1e5", "6.67428E-8", "1.988e33", "1e-12", "-2e10", "-2.5E-10", "10E0", "0e1", "a=1e5", "(1e5)", "1e5 1e6", "1e5;")
    longer = "select 1e5, -2.5e3 from a where b > 3E-4", "select 1e5 as a, 2 from b where c = 1.5e-3"
    return [tokens(text) for text in texts], tokens(longer[0]), parsed(longer[1])


def case_other_numbers():
    return [tokens(text) for text in ("1", "-1", "1.5", "-.5", ".5", "1.", "0xe1", "-0xE1", "1, 2.5", "a-1")]


def case_other_names():
    texts = ("f1", "F-5", "-f1", "a.e1", "e1.a", "e1(2)", "ee1", "a1e1", "_e1", "e", "e_1", "else1", "é1", ":e1", "@e1", "$e1")
    return [tokens(text) for text in texts]


def case_keywords():
    return [tokens(text) for text in ("end", "else", "exists", "escape", "elsif", "execute e", "E", "except", "end if")]


def case_strings():
    return [tokens(text) for text in ("'e1'", '"e1"', "`e1`", "[e1]", "-- e1", "/* e1 */", "'1e5'")]


def case_split():
    return sqlparse.split("select 1e5 from a; select b - 1e3;"), sqlparse.format("select 1e5,b from a", reindent=True)
