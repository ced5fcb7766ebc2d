/** Styles of pages that compare many sites in a table, in addition to the shared stylesheet and in its colours. */
export const TABLES_STYLESHEET: string = `.table-page { padding-block: 1.5rem 4rem; }
.table-page > * + * { margin-top: 1rem; }
.measure { max-width: 72ch; }
.eyebrow a { color: inherit; }
.score-tag { display: inline-block; min-width: 2.6rem; padding: 0.1rem 0.5rem; border-radius: 0.4rem; background: var(--level-back); border-inline-start: 4px solid var(--level); color: var(--ink); font-weight: 650; text-align: center; }
.groups td { white-space: nowrap; }
.groups .bar { min-width: 9rem; height: 0.9rem; margin-top: 0.35rem; }
.choices { display: flex; flex-wrap: wrap; gap: 0.6rem 1.2rem; align-items: end; }
.choices label { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.2rem; min-width: 0; max-width: 100%; }
.choices label span { font-size: var(--small); font-weight: 600; }
.choices select { max-width: 100%; }
.marks { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
.marks span span { margin-inline-end: 0.2rem; }
.pass, .warn, .fail, .na { font-size: 0; white-space: nowrap; }
:is(.pass, .warn, .fail, .na)::before { font: 700 1rem/1 var(--sans); }
.pass::before { content: "✓" / ""; color: var(--pass); }
.warn::before { content: "!" / ""; color: var(--warn); }
.fail::before { content: "✕" / ""; color: var(--fail); }
.na::before { content: "–" / ""; color: var(--na); }
td:is(.pass, .fail, .na) { text-align: center; vertical-align: middle; padding: 0.3rem 0.4rem; }
td.fail { background: var(--fail-back); }
td.fail.extra { background: none; }
.fail.extra::before { content: "·" / ""; color: var(--na); }
.matrix tbody th { position: sticky; inset-inline-start: 0; z-index: 1; min-width: 14rem; max-width: 18rem; background: var(--card); overflow-wrap: anywhere; }
.matrix .address { display: block; color: var(--quiet); font-weight: 400; }
.matrix thead th { vertical-align: bottom; }
.matrix td { vertical-align: middle; }
.matrix .check-name { padding: 0.6rem 0.2rem; text-align: start; }
.check-name a { display: inline-block; max-height: 15rem; padding: 0.1rem 0.3rem; writing-mode: vertical-rl; transform: rotate(180deg); color: var(--ink); text-decoration: none; overflow-wrap: anywhere; white-space: normal; }
.check-name a:hover { text-decoration: underline; }
.check-name[aria-sort] a { color: var(--link); font-weight: 700; }
.compare thead th { min-width: 9rem; vertical-align: top; white-space: normal; overflow-wrap: anywhere; font-size: 0.9375rem; }
.compare thead .address { display: block; font-weight: 400; }
.without { display: inline-block; margin-top: 0.3rem; font-weight: 400; font-size: var(--small); }
.compare :is(thead, tbody) th:first-child:not(.group) { position: sticky; inset-inline-start: 0; z-index: 1; min-width: 9rem; background: var(--card); overflow-wrap: anywhere; }
.compare .group { background: var(--band); }
.result { white-space: nowrap; color: var(--quiet); }
.result :is(.pass, .warn, .fail, .na)::before { display: inline-block; width: 1.3rem; }
.wide-choice { flex: 1 1 20rem; max-width: 46rem; }
.extra a { color: var(--quiet); font-weight: 400; }
.matrix tr > :is(.extra, td:last-child) { border-inline-start: 0; }
@media (max-width: 39.99rem) {
  .matrix th, .matrix td { padding-inline: 0.45rem; }
  .matrix tbody th { min-width: 7.5rem; max-width: 9.5rem; }
  .matrix .address { font-size: 0.75rem; }
  .compare :is(th, td) { padding-inline: 0.5rem; }
  .compare thead th, .compare :is(thead, tbody) th:first-child:not(.group) { min-width: 7.5rem; }
  .compare thead .address { font-size: 0.75rem; }
  .choices label { flex: 1 1 100%; }
}
@media (forced-colors: active) { :is(.pass, .warn, .fail, .na)::before { color: CanvasText; } .score-tag, .bar { border: 1px solid CanvasText; } }
@media print {
  @page { size: landscape; }
  html { font-size: 62%; }
  .choices, .near, .without, .hero .quiet { display: none; }
  .matrix tbody th, .compare th:first-child { position: static; }
  tr { break-inside: avoid; }
  td.fail, .score-tag, .bar { print-color-adjust: exact; }
}
`;
