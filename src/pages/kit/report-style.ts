/** Styles of reports, in addition to the shared stylesheet and in its colours. */
export const REPORT_STYLESHEET = `.hero-grid { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem 2rem; }
.name { font-size: 1.375rem; line-height: 1.3; }
.facts { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; }
.facts dt { font-size: 0.8125rem; color: var(--quiet); }
.facts dd { font-weight: 600; }
.facts dd .address { font-weight: 400; }
.dial { display: flex; flex-direction: column; align-items: center; gap: 0.5rem; }
.gauge { width: min(100%, 19rem); height: auto; }
.track, .value { fill: none; stroke-width: 16; }
.track { stroke: var(--line); }
.track-none { stroke-dasharray: 1.5 2; stroke-width: 10; }
.tick { stroke: var(--quiet); stroke-width: 2; }
.gauge text { text-anchor: middle; fill: var(--ink); }
.gauge-score { font-size: 48px; font-weight: 600; }
.gauge .gauge-of { font-size: 12px; font-family: var(--sans); fill: var(--quiet); }
.gauge .gauge-none { font-size: 21px; }
.summary { max-width: 62ch; font-size: 1.25rem; line-height: 1.45; }
.scroll .address { display: inline-block; min-width: 13rem; }
th > .quiet, td > .quiet { display: block; font-weight: 400; font-size: 0.875rem; }
tfoot th, tfoot td { border-top: 2px solid var(--ink); font-weight: 700; }
th time, .score { white-space: nowrap; }
thead td, tfoot td:last-child { width: 45%; }
.bars { vertical-align: middle; }
.access th[scope="rowgroup"] { background: var(--band); }
.subjects li { font-family: var(--mono); font-size: 0.8125rem; overflow-wrap: anywhere; }
.group + .group { margin-top: 2.5rem; }
.outcome { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; align-items: baseline; }
.gain { color: var(--pass); font-weight: 700; font-variant-numeric: tabular-nums; }
.free { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.15rem 1.2rem; margin-top: 0.4rem; font-size: 0.9375rem; }
.free dt { color: var(--quiet); }
.free dd { min-width: 0; overflow-wrap: anywhere; }
.free .free { margin-top: 0; padding-inline-start: 0.9rem; border-inline-start: 2px solid var(--line); }
.free-list { display: grid; gap: 0.3rem; }
.chart { display: block; width: 100%; height: auto; max-width: 52rem; }
.chart text { font-family: var(--sans); }
.axis { font-size: 12px; fill: var(--quiet); }
.grid { stroke: var(--line); stroke-width: 1; }
.line { fill: none; stroke: var(--link); stroke-width: 2; }
.dot { fill: var(--link); }
.dot-none { fill: none; stroke: var(--quiet); stroke-width: 2; }
#enrichment-news:empty { margin: 0; }
.value { stroke: var(--level); }
.fixes { margin-top: 0.8rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--card); }
.fix { padding: 0.9rem 1.1rem; }
.fix + .fix { border-top: 1px solid var(--line); }
.fix p { max-width: 72ch; }
@media (max-width: 39.99rem) {
  .parts td:nth-child(4), .parts .bars { display: none; }
  .axis { font-size: 19px; }
  .access thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .access, .access tbody, .access tr, .access th, .access td, .access caption { display: block; }
  .access td { border-top: 0; padding-block: 0.2rem; }
  .access td:first-child { padding-top: 0.6rem; }
  .access td:last-child { padding-bottom: 0.8rem; }
  .access tr + tr + tr { border-top: 1px solid var(--line); }
}
@media (min-width: 40rem) {
  .access td:first-child { min-width: 10rem; }
  .access td:last-child { min-width: 18rem; }
  .free { grid-template-columns: minmax(6rem, 12rem) minmax(0, 1fr); }
  .hero-grid { grid-template-columns: minmax(0, 1fr) 17rem; align-items: end; }
  .dial { grid-area: 1 / 2 / span 2; align-self: center; }
}
@media (forced-colors: active) { .value { stroke: Highlight; } }
`;
