"""The style of a sheet in a browser and on paper. Screens are sans, paper is serif; both are system fonts."""

from replay.paper.colours import PALETTE

STYLE = PALETTE + """
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.4 system-ui, "Segoe UI", "Helvetica Neue", Arial,
  "DejaVu Sans", sans-serif; font-variant-numeric: tabular-nums lining-nums }
.sheet { max-width: 50rem; margin: 0 auto; padding: 1.1em 16px 2em }
.sheet a { color: inherit; text-decoration: none }
.s { color: var(--s) } .h { color: var(--h) } .d { color: var(--d) } .c { color: var(--c) }
header { display: flex; justify-content: space-between; align-items: flex-end; gap: .8em; padding-bottom: .7em;
  border-bottom: 1.5px solid var(--text); overflow-wrap: anywhere }
header .where { display: flex; align-items: center; gap: .9em; min-width: 0 } header .what { text-align: right }
header img { max-height: 3.6em; max-width: 7em } .logo { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .12em;
  font-size: 1.35em; line-height: .95; text-align: center; color: var(--text) }
h1 { font-size: 1.45em; font-weight: 500; line-height: 1.15; margin: 0 } header p { margin: 0 } .second { color: var(--second) }
h2 { font-size: 1em; font-weight: 400; color: var(--second); margin: 1.5em 0 .35em; padding-bottom: .2em; border-bottom: 1px solid var(--hair) }
.totals { display: flex; flex-wrap: wrap; justify-content: center; align-items: baseline; gap: 0 .8em; margin: 1.1em 0 0;
  font-size: 1.3em; text-align: center; overflow-wrap: anywhere }
.totals span { display: inline-flex; align-items: baseline; gap: .55em; min-width: 0 } .totals .two + .two { flex-direction: row-reverse }
.totals b, .totals i { font-size: 1.85em; font-style: normal; line-height: 1.1 } .totals i { font-weight: 400 }
.verdict { text-align: center; color: var(--second); margin: .15em 0 1.2em }
table { border-collapse: collapse; margin: .3em auto 1em; max-width: 100% }
th { font-weight: 400; color: var(--second); text-align: left; vertical-align: bottom; padding: .2em .55em }
td { padding: .3em .55em; vertical-align: baseline; overflow-wrap: break-word }
th small { display: block; font-size: .9em; line-height: 1.2 } td small { font-size: .82em; color: var(--second); margin-left: .4em }
td .below { display: block; font-size: .84em; color: var(--second); line-height: 1.25 }
:is(td, th):is(.figure, .gain, .total) { text-align: right } td.figure, td.gain, td.total, td.left { white-space: nowrap } td.figure small { white-space: normal }
th.total, th.left { color: var(--text); font-size: 1.1em } .gain, .small { color: var(--second) }
td.total, td.left { font-size: 1.3em } td.total .below, td.left .below { font-size: .62em; white-space: normal }
.plain tbody td, .kinds tbody td { border-bottom: 1px solid var(--hair) } .plain, .kinds { width: 100% }
.line th.total, .line td.total { border-right: 2.5px solid var(--text) } .line th.total, .line th.left { border-bottom: 2.5px solid var(--text) }
.line tr:last-child td.total, .line tr:last-child td.left { border-bottom: 3px double var(--text) }
.line td { padding-top: .22em; padding-bottom: .22em }
.plain tr:last-child td.total { border-bottom: 3px double var(--text) }
.parts { min-width: 60% } .parts th.figure { color: var(--text); font-size: 1.1em; border-bottom: 2.5px solid var(--text) }
.parts th.figure + th.figure, .parts td.figure + td.figure { border-left: 2.5px solid var(--text) }
.parts tr.part td { padding-top: 1em; color: var(--second) } .parts tr.part b { color: var(--text); margin-right: .3em }
.parts tr.rule td:first-child { border-top: 0 } .parts tr.rule td.figure { border-top: 1px solid var(--text); color: var(--second) }
.parts td.m-total, .parts td.m-won { font-size: 1.3em } .parts td:first-child { padding-left: 1em } .parts tr.part td:first-child { padding-left: 0 }
.parts td.figure small { float: left; margin: 0 1.2em 0 0; line-height: 1.6 }
tr.rule td, tr.total td { border-top: 2px solid var(--text) } .plain tr:is(.rule, .total) .m-total, .plain tr.total .m-won { font-size: 1.2em } .kinds tr.total td { border-top: 0; font-size: 1.2em }
.kinds tr.total td:first-child { font-size: 1em } .kinds tr.gain td { color: var(--second) }
.plain tr.part td, .cards .part { font-weight: 600; padding-top: .8em }
.m-won { font-weight: 700 } .m-crossed { text-decoration: line-through; color: var(--second) } .m-unknown { color: var(--second) }
td.m-crossed { white-space: normal } .m-crossed .below { display: inline-block; width: 100% }
.blank table { width: 100%; table-layout: fixed } .blank th:first-child { width: 5em } .blank .parts :is(td, th):first-child { width: 11em }
.blank :is(td, th) { border: 1px solid var(--second) !important; height: var(--row, 2.3em) } .blank thead :is(td, th) { height: 3.2em; text-align: center }
.blank tr.part td { border: 0 !important } .fields { display: grid; grid-template-columns: 1fr 1fr; gap: .9em 2em; margin: 1em 0; color: var(--second) }
.fields span { display: flex; gap: .5em } .fields span::after { content: ""; flex: 1; border-bottom: 1.5px solid var(--text) }
.shaded { background: var(--shade) }
.struck { text-decoration: line-through; font-style: italic; color: var(--look); font-size: .72em; margin-right: .35em }
sup { font-size: .66em; font-style: italic; color: var(--second); line-height: 0; margin-left: .08em }
.m-line, .m-erased { min-width: 8em }
.m-line span, .m-erased span { display: flex; align-items: center; justify-content: center; min-height: 1.4em; white-space: pre }
.m-line span::before, .m-line span::after { content: ""; flex: 1; border-top: 3px solid var(--text) }
.m-erased { color: var(--second) } .m-erased span { gap: .6em }
.m-erased span::before, .m-erased span::after { content: ""; flex: 1; border-top: 2px dotted var(--second) }
.chalk td { border: 0 !important } .chalk td + td + td, .chalk th + th + th { border-left: 4px solid var(--text) !important }
.cards { margin: .3em 0 1em } .cards > div { padding: .45em 0; border-bottom: 1px solid var(--hair) }
.cards dl { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1em; margin: 0 } .cards dl div { display: flex; justify-content: space-between; gap: .6em }
.cards dt { color: var(--second) } .cards dd { margin: 0; text-align: right }
.hands, .compass { display: grid; grid-template-columns: repeat(3, 1fr); gap: .4em 1.5em; margin: .6em 0 1.2em } .hands > div > span, .compass > div > span { display: block }
.compass > :nth-child(1) { grid-area: 1 / 2 } .compass > :nth-child(2) { grid-area: 2 / 3 } .compass > :nth-child(3) { grid-area: 3 / 2 } .compass > :nth-child(4) { grid-area: 2 / 1 }
.below-score section { margin: 0 } ol, ul { list-style: none; margin: 0; padding: 0; font-size: .9em }
li { margin: 0 0 .25em; padding-left: 1.3em; overflow-wrap: anywhere; break-inside: avoid } li > a:first-child { display: inline-block; width: 1.3em; margin-left: -1.3em; font-style: italic; color: var(--second) }
li b { font-weight: 600 } li:target { background: var(--text); color: var(--ground) } li:target * { color: inherit }
.facts { font-size: .9em; color: var(--second); margin: 1em 0 0 }
.signing { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5em, 1fr)); gap: 2.6em 2em; margin-top: 3.6em; break-inside: avoid }
.signing div { border-top: 1.5px solid var(--text); padding-top: .3em; overflow-wrap: anywhere }
footer { display: flex; gap: 1em; align-items: flex-end; margin-top: 1.8em; padding-top: .8em; border-top: 1px solid var(--hair); font-size: .9em; break-inside: avoid }
footer svg { width: 5.6em; height: 5.6em; flex: none; background: #fff } footer p { margin: 0 } footer pre { margin: .2em 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .82em; color: var(--second) }
.phone { display: none }
@media screen and (max-width: 719px) {
  .sheet { padding: .9em 12px 2em } .paper { display: none } .phone { display: block } table.phone { display: table }
  header { align-items: flex-start } header .what { flex: none; max-width: 45% } .logo { display: none } h1 { font-size: 1.2em }
  table { width: 100%; margin-left: 0 } th, td { padding: .32em .3em } th:first-child, td:first-child { padding-left: 0 }
  th:last-child, td:last-child { padding-right: 0 } .line td.total, .line th.total { padding-right: .4em } .kinds th { font-size: 1em }
  .parts td.figure small { float: none; display: block; margin: 0; line-height: 1.2 } .parts td.m-total { font-size: 1.15em }
  .blank :is(.many, :has(> thead > tr > :nth-child(5))) th { writing-mode: vertical-rl; text-align: left; height: auto }
  .blank :is(.many, :has(> thead > tr > :nth-child(5))) th:first-child { width: 3.8em } .blank td:first-child:not([colspan]) { font-size: .85em; white-space: nowrap; padding: 0 2px }
  .m-line, .m-erased { min-width: 5em } .many { font-size: .93em } .totals { justify-content: space-between } .totals .two + .two { flex-direction: row } .totals span:only-child { margin: 0 auto }
}
@media screen and (min-width: 720px) { .below-score.both { columns: 2; column-gap: 2.4em; margin-top: 1.5em } .both h2 { margin-top: 0 } .both section + section { padding-top: .9em } }
@media screen { ol a, td a { display: inline-block; min-height: 24px; min-width: 24px } li { padding-left: 24px } li > a:first-child { margin-left: -24px } .twin { display: none } }
@media print {
  body { background: none; font: var(--print, 11pt)/1.32 Georgia, "Times New Roman", "Liberation Serif", "DejaVu Serif", serif;
    -webkit-print-color-adjust: exact; print-color-adjust: exact }
  .sheet { max-width: none; padding: 0 } header { padding-bottom: .9em } h1 { font-size: 1.66em } .totals { margin-top: 1.3em; font-size: 1.5em }
  .below-score.both { columns: 2; column-gap: 2.4em; margin-top: 1.4em } .both h2 { margin-top: 0 } .both section + section { padding-top: .9em } thead { display: table-header-group } tr, .parts tbody { break-inside: avoid } h2 { break-after: avoid }
  /* A row that may be cut by the end of a page has no baseline. */
  td { padding-top: .26em; padding-bottom: .26em; vertical-align: middle } td.total, td.left, .parts td.m-total, .parts td.m-won { line-height: 1.1; padding-top: .2em; padding-bottom: .2em } .plain { width: auto; min-width: 78% } .many { width: 100% } .each { width: 100% }
}
"""

PAPERS = {"a4": ("A4", 297.0, 210.0), "letter": ("letter", 279.4, 215.9)}
"""The paper sizes: the name for the browser, height and width in millimetres."""
MARGIN = 15.0

FOUR = """
@media print {
  .four { display: grid; grid-template: 1fr 1fr / 1fr 1fr; gap: 8mm; height: var(--inside) } .four .sheet { overflow: hidden; font-size: .56em }
  .four .signing, .four .below-score, .four .facts { display: none } .four .twin { display: block } .four .sheet + .sheet { border: 0 }
}
"""
"""Four small sheets on a page, with the result and the figures, to take away."""
