/**
 * The stylesheet of all pages. The explorer and the methodology page also load `explorer-style.ts`. The contrast of
 * colours is at least 4.5 for text and 3 for graphics.
 */
export const STYLESHEET = `:root {
  color-scheme: light dark;
  --paper: #fbf9f5;
  --card: #ffffff;
  --band: #f1ede4;
  --line: #ddd6c8;
  --ink: #1d1a16;
  --quiet: #5f574b;
  --link: #0b5563;
  --focus: #0b5563;
  --pass: #17643a;
  --pass-back: #e0f1e5;
  --warn: #7a4b00;
  --warn-back: #fbecd0;
  --fail: #9b1c1c;
  --fail-back: #fbe3e0;
  --na: #5a5348;
  --na-back: #ece7dc;
  --level-0: #b3312c;
  --level-1: #a96500;
  --level-2: #4c7a1f;
  --level-3: #12724a;
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", "URW Palladio L", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a;
    --card: #1b1e23;
    --band: #1e2228;
    --line: #363c45;
    --ink: #eceae5;
    --quiet: #b0aca3;
    --link: #7fd0e0;
    --focus: #7fd0e0;
    --pass: #8fd9a8;
    --pass-back: #16321f;
    --warn: #f0c274;
    --warn-back: #3a2a0c;
    --fail: #f5a39b;
    --fail-back: #431b19;
    --na: #b9b4aa;
    --na-back: #2b2f36;
    --level-0: #ef7d74;
    --level-1: #e5a545;
    --level-2: #a3c96a;
    --level-3: #5fc898;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1.5rem; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--sans); overflow-wrap: break-word; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1, h2 { font-family: var(--serif); font-weight: 600; line-height: 1.15; text-wrap: balance; }
h1 { font-size: clamp(1.75rem, 1.1rem + 3.2vw, 3.4rem); letter-spacing: -0.015em; overflow-wrap: anywhere; }
h2 { font-size: clamp(1.5rem, 1.3rem + 1vw, 2rem); }
h3 { font-size: 1.1875rem; line-height: 1.35; }
h4 { font-size: 1.0625rem; line-height: 1.4; }
a { color: var(--link); text-decoration-thickness: 0.06em; text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 0.14em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
main { flex: 1; }
main:focus { outline: none; }
code, pre, .address { font-family: var(--mono); font-size: 0.875em; }
.address { overflow-wrap: anywhere; }
.wide { width: min(100% - 2.5rem, 76rem); margin-inline: auto; }
.quiet { color: var(--quiet); font-size: 0.9375rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: 1rem; top: -4rem; background: var(--card); padding: 0.6rem 1rem; border: 2px solid var(--focus); border-radius: 0 0 0.5rem 0.5rem; z-index: 1; }
.skip:focus { top: 0; }
.top { background: var(--band); border-bottom: 1px solid var(--line); }
.top .wide { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: center; justify-content: space-between; padding-block: 0.7rem; }
.brand { font-family: var(--serif); font-weight: 600; }
.brand a { color: inherit; text-decoration: none; }
.brand a:hover { text-decoration: underline; }
.formats { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.formats a { display: inline-block; padding: 0.25rem 0.7rem; font-size: 0.875rem; border: 1px solid var(--line); border-radius: 99rem; background: var(--card); text-decoration: none; }
.formats a:hover { border-color: currentcolor; }
.hero { background: var(--band); border-bottom: 1px solid var(--line); padding-block: clamp(2rem, 5vw, 4rem); }
.hero-grid { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem 2rem; }
.hero-text > * + * { margin-top: 0.9rem; }
.eyebrow { font-size: 0.8125rem; font-weight: 600; letter-spacing: 0.09em; text-transform: uppercase; color: var(--quiet); }
.eyebrow + h1 { margin-top: 0.4rem; }
.name { font-family: var(--serif); font-size: 1.375rem; line-height: 1.3; }
.lead { max-width: 60ch; font-size: 1.125rem; white-space: pre-line; }
.notice { max-width: 68ch; padding: 0.8rem 1rem; background: var(--warn-back); border-inline-start: 4px solid var(--warn); border-radius: 0.25rem; }
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
.gauge text { text-anchor: middle; fill: var(--ink); font-family: var(--serif); }
.gauge-score { font-size: 48px; font-weight: 600; }
.gauge .gauge-of { font-size: 12px; font-family: var(--sans); fill: var(--quiet); }
.gauge .gauge-none { font-size: 21px; }
.level-0 { stroke: var(--level-0); }
.level-1 { stroke: var(--level-1); }
.level-2 { stroke: var(--level-2); }
.level-3 { stroke: var(--level-3); }
.band { font-family: var(--serif); font-size: 1.375rem; font-weight: 600; }
.columns { display: grid; gap: 2rem; padding-block: 2rem 4rem; }
.contents ul { display: flex; flex-wrap: wrap; gap: 0.4rem; }
.contents a { display: inline-block; padding: 0.3rem 0.75rem; border: 1px solid var(--line); border-radius: 1.1rem; font-size: 0.9375rem; text-decoration: none; }
.contents a:hover { border-color: currentcolor; }
.sections { min-width: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 3.5rem; }
section > * + * { margin-top: 1rem; }
.summary { max-width: 62ch; font-family: var(--serif); font-size: 1.25rem; line-height: 1.45; }
.scroll { position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
caption { text-align: start; padding: 0.6rem 0.9rem; }
th, td { padding: 0.6rem 0.9rem; text-align: start; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: 0.8125rem; color: var(--quiet); white-space: nowrap; }
caption:not(.hidden) + thead th { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; }
.scroll .address { display: inline-block; min-width: 13rem; }
th > .quiet, td > .quiet { display: block; font-weight: 400; font-size: 0.875rem; }
tfoot th, tfoot td { border-top: 2px solid var(--ink); font-weight: 700; }
th time, .score { white-space: nowrap; }
.number { text-align: end; white-space: nowrap; }
thead td, tfoot td:last-child { width: 45%; }
.bars { vertical-align: middle; }
.bar { display: block; width: 100%; height: 0.6rem; }
.bar-track { fill: var(--na-back); }
.bar-value { fill: var(--link); }
.access th[scope="rowgroup"] { background: var(--band); }
.subjects li { font-family: var(--mono); font-size: 0.8125rem; overflow-wrap: anywhere; }
.group + .group { margin-top: 2.5rem; }
.checks, .fixes { margin-top: 0.8rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
.check, .fix { padding: 0.9rem 1.1rem; }
.check + .check, .fix + .fix { border-top: 1px solid var(--line); }
.check-head { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; align-items: baseline; justify-content: space-between; }
.check p, .fix p { max-width: 72ch; }
.check-title { color: var(--quiet); font-size: 0.9375rem; }
.outcome { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; align-items: baseline; }
.points { font-variant-numeric: tabular-nums; font-size: 0.9375rem; }
.status { display: inline-block; padding: 0.05rem 0.6rem; border-radius: 99rem; font-size: 0.875rem; font-weight: 600; white-space: nowrap; }
.status-pass { color: var(--pass); background: var(--pass-back); }
.status-warn { color: var(--warn); background: var(--warn-back); }
.status-fail { color: var(--fail); background: var(--fail-back); }
.status-na { color: var(--na); background: var(--na-back); }
.gain { color: var(--pass); font-weight: 700; font-variant-numeric: tabular-nums; }
details { margin-top: 0.6rem; }
summary { position: relative; display: inline-block; cursor: pointer; padding-block: 0.15rem; color: var(--link); font-size: 0.9375rem; }
summary::before { content: "▸ " / ""; }
details[open] > summary::before { content: "▾ " / ""; }
pre { max-width: 100%; margin-top: 0.5rem; padding: 0.8rem 1rem; background: var(--band); border: 1px solid var(--line); border-radius: 0.4rem; white-space: pre-wrap; overflow-wrap: anywhere; overflow: auto; max-height: 28rem; line-height: 1.5; }
.copy { margin-top: 0.5rem; padding: 0.35rem 0.9rem; font: inherit; font-size: 0.9375rem; color: var(--link); background: var(--card); border: 1px solid currentcolor; border-radius: 99rem; cursor: pointer; }
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
.bottom { border-top: 1px solid var(--line); background: var(--band); font-size: 0.9375rem; color: var(--quiet); }
.bottom .wide { padding-block: 1.5rem; }
.bottom code { overflow-wrap: anywhere; }
#enrichment-news:empty { margin: 0; }
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
@media (min-width: 64rem) {
  .hero-grid { grid-template-columns: minmax(0, 1fr) 19rem; gap: 1.5rem 4rem; }
  .columns { grid-template-columns: 13rem minmax(0, 1fr); gap: 4rem; padding-block: 3rem 6rem; }
  .contents { position: sticky; top: 1.5rem; align-self: start; }
  .contents ul { display: grid; gap: 0.1rem; border-inline-start: 2px solid var(--line); }
  .contents a { display: block; border: 0; border-radius: 0; padding-inline-start: 1rem; }
  .contents a:hover { text-decoration: underline; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media (forced-colors: active) { .status, .notice, .copy { border: 1px solid; } .value { stroke: Highlight; } }
@media print { .top nav, .contents, .skip, .copy { display: none; } body { background: none; } .scroll { overflow: visible; } }
`;
