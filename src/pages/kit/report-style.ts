/** Styles of reports, in addition to the shared stylesheet and in its colours. */
export const REPORT_STYLESHEET: string = `.hero { padding-block: 1.25rem 1.5rem; }
.crumbs ol { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.5rem; font-size: var(--small); color: var(--quiet); overflow-wrap: anywhere; }
.crumbs li + li::before { content: "/" / ""; margin-inline-end: 0.5rem; color: var(--control); }
.crumbs a { display: inline-block; padding-block: 0.15rem; }
.hero-grid { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem 2.5rem; align-items: center; margin-top: 0.6rem; }
.hero-text > * + * { margin-top: 0.4rem; }
.hero h1 { font-size: clamp(1.5rem, 1.1rem + 1.8vw, 2.375rem); }
.name { font-size: 1.1875rem; line-height: 1.35; }
.summary { max-width: 58ch; font-size: 1.0625rem; line-height: 1.5; }
.card > * + * { margin-top: 0.4rem; }
.result { display: flex; flex-wrap: wrap; gap: 0 0.6rem; align-items: baseline; }
.number-large { color: var(--level); font-size: 3.75rem; line-height: 1; font-weight: 750; letter-spacing: -0.03em; font-variant-numeric: tabular-nums; }
.of { color: var(--quiet); }
.no-score { font-size: 1.75rem; line-height: 1.3; }
.band-name { padding: 0.15rem 0.8rem; border-radius: 99rem; background: var(--level-back); color: var(--ink); font-weight: 650; border: 1px solid var(--level); }
.track, .points-bar { display: block; overflow: visible; }
.track rect { stroke: var(--card); stroke-width: 2; }
.track .track-none { fill: none; stroke: var(--level-none); stroke-width: 1.5; stroke-dasharray: 4 4; }
.mark { fill: var(--ink); stroke: var(--card); stroke-width: 1; }
.legend { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; font-size: 0.8125rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
.legend li::before { content: "" / ""; display: inline-block; width: 0.65rem; height: 0.65rem; margin-inline-end: 0.35rem; border-radius: 2px; background: var(--level); }
.legend [aria-current] { color: var(--ink); font-weight: 650; }
.change { display: flex; flex-wrap: wrap; gap: 0 0.5rem; align-items: center; }
.change .up { color: var(--pass); }
.change .down { color: var(--fail); }
.change .up::before { content: "▲ " / ""; }
.change .down::before { content: "▼ " / ""; }
.spark polyline { fill: none; stroke: var(--quiet); stroke-width: 1.75; }
.spark circle { fill: var(--ink); }
#rank { min-height: 1.6em; font-weight: 600; }
.hero .notice { max-width: none; margin-top: 1rem; }
.notice p + p { margin-top: 0.3rem; }
.strip { margin-top: 1rem; padding-top: 0.9rem; border-top: 1px solid var(--line); }
.strip p { font-weight: 600; }
.squares { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 0.5rem; }
.squares a { position: relative; display: block; width: 1.625rem; height: 1.625rem; overflow: hidden; border: 1px solid transparent; border-radius: 0.3rem; font: 700 0.9375rem/1.5rem var(--sans); text-align: center; text-decoration: none; color: transparent; user-select: none; white-space: nowrap; text-indent: 2rem; }
.squares a::before { position: absolute; inset: 0; text-indent: 0; }
.squares a:hover { border-color: currentcolor; }
.fail::before, .squares .fail::before { content: "✕" / ""; color: var(--fail); }
.warn::before, .squares .warn::before { content: "!" / ""; color: var(--warn); }
.pass::before, .squares .pass::before { content: "✓" / ""; color: var(--pass); }
.na::before, .squares .na::before { content: "–" / ""; color: var(--na); }
.squares .extra::before { content: "+" / ""; color: var(--pass); }
.squares .none::before { content: "·" / ""; color: var(--na); }
.squares .fail { background: var(--fail-back); border-color: var(--fail); }
.squares .warn { background: var(--warn-back); border-color: var(--warn); }
.squares .pass { background: var(--pass-back); }
.squares .na { background: var(--na-back); }
.squares .extra { border-radius: 50%; background: var(--pass-back); }
.squares .none { border-radius: 50%; border-color: var(--control); }
.columns { gap: 1.25rem; padding-top: 1rem; }
.columns > .sections:only-child { grid-column: 1 / -1; }
.cost { font-weight: 650; font-variant-numeric: tabular-nums; white-space: nowrap; }
.check:target { background: var(--band); }
.check h3 { font-size: var(--large); }
.check > * + * { margin-top: 0.35rem; }
.outcome { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; align-items: baseline; }
.fix { margin-top: 0.6rem; padding: 0.5rem 0 0.1rem 0.9rem; border-inline-start: 3px solid var(--pass); }
.fix > * + * { margin-top: 0.2rem; }
.gain { color: var(--pass); font-weight: 650; font-variant-numeric: tabular-nums; }
.folded { border: 1px solid var(--line); border-radius: var(--round); background: var(--card); }
.folded + .folded { margin-top: 0.5rem; }
.folded > summary { display: block; padding: 0.7rem 1.1rem; font-size: var(--normal); font-weight: 600; }
.lines li { display: flex; flex-wrap: wrap; gap: 0 0.6rem; align-items: baseline; padding: 0.4rem 1.1rem; border-top: 1px solid var(--line); }
.lines li::before { width: 1.2rem; font-weight: 700; }
.lines li:target { background: var(--band); }
.lines em { font-style: normal; font-size: var(--small); }
.lines .points { margin-inline-start: auto; color: var(--quiet); }
.points-bar { border-radius: 0.4rem; }
.points-bar rect { stroke: var(--paper); stroke-width: 2; }
.key { display: inline-block; width: 0.8rem; height: 0.8rem; margin-inline-end: 0.5rem; border-radius: 2px; background: var(--part); }
rect[class^="part-"] { fill: var(--part); }
.part-block1 { --part: var(--link); }
.part-block2 { --part: color-mix(in srgb, var(--link) 60%, var(--card)); }
.part-penalties { --part: var(--level-0); }
.part-cap { --part: var(--level-1); }
.part-lost { --part: var(--control); }
.part-na { --part: var(--na-back); }
.keys { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; margin-top: 0.5rem; font-size: 0.9375rem; }
tfoot th, tfoot td { border-top: 2px solid var(--ink); font-weight: 700; }
.scroll .address { display: inline-block; min-width: 13rem; }
th > .quiet, td > .quiet { display: block; font-weight: 400; font-size: 0.875rem; }
th time, .score { white-space: nowrap; }
.chart { display: flex; padding: 0.75rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--card); }
.chart text { font: 12px var(--sans); fill: var(--quiet); }
.axis { flex: none; }
.axis text, .chart .end { text-anchor: end; }
.plot { flex: 1; min-width: 0; width: 100%; overflow: visible; }
rect.stripe { fill: var(--level-back); }
.stripe.level-0 { --level-back: var(--level-0-back); }
.grid { stroke: var(--line); stroke-width: 1; }
.boundary { stroke: var(--control); stroke-dasharray: 4 4; }
.line { stroke: var(--ink); stroke-width: 2; }
.dot { fill: var(--card); stroke: var(--ink); stroke-width: 2; }
.dot.own { fill: var(--ink); }
.dot-none { fill: none; stroke: var(--quiet); stroke-width: 2; }
.chart a:hover .dot { fill: var(--link); }
.features { display: grid; gap: 0.6rem; }
.features > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0.2rem 1rem; padding: 0.7rem 1.1rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--card); }
.features > div > dt { font-weight: 600; }
.evidence { margin-top: 0.3rem; font-size: 0.9375rem; overflow-wrap: anywhere; }
.draft + .draft { margin-top: 1.2rem; }
.draft h3 { font-size: var(--normal); }
.copy + .copy, .copy + .hidden + .copy { margin-inline-start: 0.5rem; }
.task { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; }
.task .copy { margin-top: 0; }
.badge { display: block; max-width: 100%; height: auto; }
#builder { display: flex; flex-wrap: wrap; gap: 0.6rem 1.2rem; margin: 1rem 0 0; padding: 0; border: 0; min-width: 0; }
#builder label { display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; align-items: center; min-width: 0; max-width: 100%; }
#builder input { flex: 1 1 11rem; width: 11rem; min-width: 0; }
.measure { max-width: 68ch; white-space: pre-line; }
.facts { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; }
.facts dt { font-size: 0.8125rem; color: var(--quiet); }
.facts dd { font-weight: 600; }
.facts dd .address { font-weight: 400; }
.access th[scope="rowgroup"] { background: var(--band); }
.subjects li { font-family: var(--mono); font-size: 0.8125rem; overflow-wrap: anywhere; }
.free { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.15rem 1.2rem; margin-top: 0.4rem; font-size: 0.9375rem; }
.free dt { color: var(--quiet); }
.free dd { min-width: 0; overflow-wrap: anywhere; }
.free .free { margin-top: 0; padding-inline-start: 0.9rem; border-inline-start: 2px solid var(--line); }
.free-list { display: grid; gap: 0.3rem; }
#enrichment-news:empty { margin: 0; }
@media (max-width: 63.99rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  .contents ul { flex-wrap: nowrap; overflow-x: auto; padding: 3px; margin: -3px; }
  .contents a { white-space: nowrap; }
}
@media (max-width: 39.99rem) {
  .crumbs [aria-current], .stripe-name { display: none; }
  .access thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .access, .access tbody, .access tr, .access th, .access td, .access caption { display: block; }
  .access td { border-top: 0; padding-block: 0.2rem; }
  .access td:first-child { padding-top: 0.6rem; }
  .access td:last-child { padding-bottom: 0.8rem; }
  .access tr + tr + tr { border-top: 1px solid var(--line); }
  .lines .quiet { flex-basis: 100%; order: 1; padding-inline-start: 1.8rem; overflow-wrap: anywhere; }
}
@media (max-width: 15rem) { .cost, .points { white-space: normal; } .features > div { grid-template-columns: minmax(0, 1fr); } .lines .points { margin-inline-start: 0; } }
@media (min-width: 40rem) {
  .access td:first-child { min-width: 10rem; }
  .access td:last-child { min-width: 18rem; }
  .free { grid-template-columns: minmax(6rem, 12rem) minmax(0, 1fr); }
}
@media (min-width: 48rem) { .hero-grid { grid-template-columns: minmax(0, 1fr) minmax(0, min(27rem, 50%)); } }
@media (forced-colors: active) {
  .squares a, .key, .legend li::before { border: 1px solid; forced-color-adjust: auto; }
  .squares a::before, .lines li::before { color: CanvasText; }
  rect[class^="part-"], .track rect { fill: Canvas; stroke: CanvasText; }
  rect.part-block1, rect.part-block2 { fill: Highlight; }
  rect.stripe { fill: none; stroke: GrayText; }
  .mark, .dot.own { fill: CanvasText; }
  .line, .dot { stroke: CanvasText; }
}
@media print {
  :root { --paper: #fff; font-size: 8.5pt; }
  body { line-height: 1.35; }
  .wide { width: 100%; }
  .top, .crumbs, .squares, .check > details, .check-title, .prompt, .task, .access .quiet, #access details, #starter-files, #pages, #observations, #enrichment, #share, .bottom { display: none; }
  .hero { padding-block: 0; }
  .hero-grid { grid-template-columns: 1fr 1fr; margin-top: 0; }
  .hero h1, h2 { font-size: 1.7rem; }
  .columns, .sections { display: block; padding: 0; }
  section { margin-top: 0.9rem; }
  section > * + * { margin-top: 0.4rem; }
  .check { padding: 0.3rem 0.6rem; }
  .check > * + *, .fix { margin-top: 0.15rem; }
  .check h3 { font-size: 1.1rem; }
  .folded > summary { padding-block: 0.2rem; }
  .features .free { display: block; }
  td, th, .features > div { padding: 0.15rem 0.5rem; }
  .features { grid-template-columns: repeat(3, 1fr); }
  .features > div { display: block; }
  .check, .notice, .chart, .points-bar, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
`;
