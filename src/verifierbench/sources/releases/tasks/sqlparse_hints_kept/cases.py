"""What is looked at in the patched sqlparse: which comments `strip_comments` takes from a statement, and what is left."""

import sqlparse
from sqlparse import tokens as T

BLOCKS = [
    "select /*+ FULL(t) */ a from t",
    "insert /*+ APPEND */ into t values (1)",
    "update /*+ INDEX(t i) */ t set a = 1 where b = 2",
    "delete /*+ PARALLEL(4) */ from t",
    "merge /*+ x */ into t using s on (t.a = s.a)",
    "SELECT /*+cluster(T)*/* FROM t",
    "select /*+\n  LEADING(a b)\n  USE_NL(b)\n*/ a\nfrom b",
]
LINES = ["select --+ FULL(t)\na from t", "update --+x\nt\nset a = 1", "select a,\n  --+ y\n  b\nfrom c"]
NESTED = [
    "select a from (select /*+ h */ b from c) d",
    "with x as (select /*+ one */ 1) select /*+ two */ * from x",
    "select f(/*+ h */ a), (b + /*+ g */ c) from d",
    "select case /*+ h */ when a then b end",
    "select a from b where c in (select --+ h\nd from e)",
]
ENDS = ["select a from b /*+ last */", "/*+ first */ select a", "/*+ alone */", "select a --+ last", "--+ first\nselect a"]
ORDINARY = [
    "select a -- one\nfrom b",
    "select /* one */ a from b",
    "/* one */ select a /* two */, b -- three",
    "select a /* one\n two */ from (/* three */ select b)",
    "-- one\n-- two\nselect a",
    "select a/* one */from b",
    "select -- one\n\na",
    "-- one",
]


def stripped(sql, **options):
    return sqlparse.format(sql, strip_comments=True, **options)


def case_issue():
    return stripped("select /*+ FULL(t) */ a -- all\nfrom t")


def case_blocks():
    return [stripped(sql) for sql in BLOCKS]


def case_lines():
    return [stripped(sql) for sql in LINES]


def case_nested():
    return [stripped(sql) for sql in NESTED]


def case_at_the_ends():
    return [stripped(sql) for sql in ENDS]


def case_several():
    return [
        stripped("select /*+ a */ /*+ b */ c, /*+ d */ e from f"),
        stripped("select --+ a\n--+ b\nc from d"),
        stripped("select /*+ a *//*+ b */ c from d /*+ e */ where /*+ f */ g"),
    ]


def case_scripts():
    script = "update /*+ a */ t set b = 1;\nselect --+ c\nd from e;\n\ndelete /*+ f */ from g;"
    return stripped(script), sqlparse.split(script, strip_semicolon=True) == sqlparse.split(stripped(script), strip_semicolon=True)


def case_other_options():
    sql = "select /*+ h */  a,  b from (select /*+ g */ c from d) where e = 1"
    return [
        stripped(sql, **options) == sqlparse.format(sql, **options)
        for options in (
            {"reindent": True},
            {"strip_whitespace": True},
            {"keyword_case": "upper"},
            {"reindent": True, "comma_first": True, "indent_width": 4},
            {"use_space_around_operators": True},
        )
    ]


def case_types_stay():
    statement = sqlparse.engine.FilterStack()
    statement.enable_grouping()
    statement.stmtprocess.append(sqlparse.filters.StripCommentsFilter())
    (parsed,) = statement.run("select /*+ h */ a from b --+ g")
    kept = [token for token in parsed.flatten() if token.ttype in T.Comment]
    return [(str(token.ttype), token.value) for token in kept]


def case_other_comments_beside_hints():
    return [
        stripped("select /*+ h */ a, /* one */ b from c -- two"),
        stripped("-- one\nselect /*+ h */ a -- two\n, b -- three\nfrom c"),
        stripped("select --+ h\na /* one */ from (select /* two */ b) where /*+ g */ c -- three\n= d"),
        stripped("/* one */ select a; update /*+ h */ b set c = /* two */ 1; -- three\ndelete from d"),
    ]


def case_comment_under_hint():
    return stripped("select --+full(u)\n--comment simple"), stripped("select a --+ h\n/* one */")


def case_like_hints():
    return [
        stripped("select /* + h */ a from b"),
        stripped("select -- + h\na from b"),
        stripped("select /* h + g */ a -- x + y\nfrom b"),
        stripped("select /**+ h */ a, /* /*+ h */ b"),
    ]


def case_ordinary():
    return [stripped(sql) for sql in ORDINARY]


def case_ordinary_with_options():
    sql = "select  a, -- one\n  b /* two */ from (/* three */ select c)"
    return stripped(sql, reindent=True), stripped(sql, strip_whitespace=True), stripped(sql, keyword_case="upper")


def case_strings():
    return [
        stripped("select '/*+ h */', \"--+ g\" from a"),
        stripped("select '/* one */', '-- two' /* three */ from a"),
        stripped("select `/* b */` from `--+ c`"),
        stripped("#+ hint\nselect a from b"),
    ]


def case_not_asked_for():
    sql = "select /*+ h */ a /* one */ from b -- two\nwhere c"
    return sqlparse.format(sql), sqlparse.format(sql, strip_comments=False), sqlparse.format(sql, reindent=True)


def case_without_comments():
    return [stripped(sql) for sql in ("select a\n\nfrom b", "  select  1 ;\nselect 2", "", ";", "a + b - -c", "select 1 /")]


def case_errors():
    try:
        sqlparse.format("select a", strip_comments="yes")
    except Exception as error:
        return type(error).__name__
    return "nothing"
