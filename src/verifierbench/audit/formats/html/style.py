"""How the page looks: light and dark by the reader's setting, readable on a phone and on paper.

Every colour of text has a contrast of at least 4.5 : 1 on its ground, and no meaning rests on colour alone.
"""

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1a1a1e; --faint: #5c5c66; --line: #d9d9e0; --soft: #f4f4f7;
        --accent: #1d4ed8; --good: #15703a; --bad: #b3261e; --warn: #8a5a00; --good-bg: #eaf6ee; --bad-bg: #fdeeec;
        --warn-bg: #fdf5e2 }
@media (prefers-color-scheme: dark) {
  :root { --ground: #141417; --ink: #e8e8ec; --faint: #a3a3ad; --line: #36363d; --soft: #1e1e23; --accent: #8ab4ff;
          --good: #6fd394; --bad: #ff9b92; --warn: #f2c063; --good-bg: #14281c; --bad-bg: #331a18; --warn-bg: #2d2412 }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--ground); max-width: 78rem;
       margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1rem; overflow-wrap: anywhere }
.about { margin: -.6rem 0 1rem; overflow-wrap: anywhere }
h2 { font-size: 1.35rem; margin: 3rem 0 .6rem; padding-top: .6rem; border-top: 1px solid var(--line) }
h3 { font-size: 1.05rem; margin: 1.8rem 0 .5rem; overflow-wrap: anywhere }
h3 code { font-size: 1rem; font-weight: 600 }
h4 { font-size: 1rem; margin: 0 0 .3rem; font-weight: 600 }
p, li { max-width: 46rem }
a { color: var(--accent) }
a:focus-visible, summary:focus-visible, pre:focus-visible, .scroll:focus-visible {
  outline: 3px solid var(--accent); outline-offset: 2px }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
code { overflow-wrap: anywhere }
.faint { color: var(--faint) } .small { font-size: .875rem }
.verdict { border: 1px solid var(--line); border-left: .4rem solid; border-radius: .4rem; padding: .8rem 1rem;
           font-size: 1.15rem; max-width: none; margin: 0 0 1rem }
.verdict strong { margin-right: .4rem }
.verdict.good { border-left-color: var(--good); background: var(--good-bg) }
.verdict.bad { border-left-color: var(--bad); background: var(--bad-bg) }
.verdict.warn { border-left-color: var(--warn); background: var(--warn-bg) }
.good b, b.good, .good strong { color: var(--good) }
.bad b, b.bad, .bad strong { color: var(--bad) }
.warn b, b.warn, .warn strong { color: var(--warn) }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; list-style: none; padding: 0; margin: 1rem 0 0 }
.scroll { overflow-x: auto; margin: .6rem 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9375rem }
table.wide { width: 100% }
th, td { padding: .4rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
thead th { background: var(--soft); white-space: nowrap; font-weight: 600 }
tbody th { font-weight: 400 }
.n { text-align: right; white-space: nowrap }
.c { text-align: center; white-space: nowrap }
.marks { font-size: .875rem }
.marks th, .marks td { padding: .3rem .4rem; white-space: nowrap }
.marks thead th { vertical-align: bottom }
.marks .turned { padding: .5rem 0; text-align: center }
.marks .turned span { writing-mode: vertical-rl; transform: rotate(180deg); display: inline-block; font-size: .8125rem }
.marks td.c { min-width: 2.6rem }
.marks tbody th, .marks thead th:first-child { position: sticky; left: 0; white-space: nowrap }
.marks tbody th { background: var(--ground) }
.marks thead th:first-child { background: var(--soft) }
.flow { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; padding: 0; align-items: stretch }
.flow li { border: 1px solid var(--line); border-radius: .4rem; padding: .5rem .9rem; background: var(--soft) }
.flow b { display: block; font-size: 1.4rem; line-height: 1.2; font-variant-numeric: tabular-nums }
.beside { display: flex; flex-wrap: wrap; gap: 0 3rem }
.bar { display: flex; height: 1rem; max-width: 46rem; border-radius: .3rem; overflow: hidden; gap: 2px;
       margin: .8rem 0 }
.bar i { min-width: 3px } .bar .killed { background: var(--good) } .bar .equivalent { background: var(--faint) }
.bar .survived { background: var(--bad) }
article { border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; margin: .8rem 0 }
article:target { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent) }
article p { margin: .3rem 0; max-width: none; overflow-wrap: anywhere }
article details { margin: .2rem 0 }
article h4 { display: flex; flex-wrap: wrap; gap: 0 .8rem; justify-content: space-between }
article h4 a { font-weight: 400 }
.words { scroll-margin-top: 4rem }
details { margin: .5rem 0 } summary { cursor: pointer; padding: .15rem 0 }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .3rem; padding: .7rem .9rem;
      margin: .4rem 0; overflow: auto; max-height: 32rem; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4 }
pre.copy { user-select: all }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .8rem }
@media (max-width: 40rem) {
  body { padding-top: 1rem } h1 { font-size: 1.5rem } .verdict { font-size: 1.05rem }
  table.stack thead { display: none }
  .marks tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 7.5rem; max-width: 9rem }
  table.stack, table.stack tbody { display: block; width: 100% }
  table.stack tr { display: grid; grid-template-columns: auto 1fr auto; gap: 0 .6rem; padding: .5rem 0;
                   border-bottom: 1px solid var(--line) }
  table.stack th, table.stack td { border: 0; padding: 0 }
  table.stack .q { grid-column: 2 / -1; grid-row: 2; color: var(--faint) }
  table.stack td.n::before { content: attr(data-label) " "; color: var(--faint) }
  table.stack td.held { display: none }
}
@media print {
  :root { --ground: #fff; --ink: #000; --faint: #444; --soft: #fff; --line: #bbb; --accent: #000; --good: #15703a;
          --bad: #b3261e; --warn: #8a5a00; --good-bg: #fff; --bad-bg: #fff; --warn-bg: #fff }
  body { max-width: none; padding: 0; font-size: 10.5pt }
  nav { display: none } .scroll { overflow: visible } pre { max-height: none }
  .marks { font-size: 7.5pt } .marks th, .marks td { padding: .15rem .25rem }
  article, tr { break-inside: avoid } h2, h3 { break-after: avoid }
}
"""
