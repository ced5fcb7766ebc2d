/**
 * The stylesheet of all pages: colours, type, header, footer and the parts that pages share (docs/design.md shows
 * them). Each kind of page has a second one as well. The contrast of colours is at least 4.5 for text and 3 for
 * graphics.
 */
export const STYLESHEET: string = `:root {
  color-scheme: light dark;
  --paper: #f6f7f9;
  --card: #ffffff;
  --band: #edf0f4;
  --line: #d8dde5;
  --control: #76808f;
  --ink: #12171f;
  --quiet: #525c6b;
  --link: #0a5c70;
  --focus: #0a5c70;
  --pass: #14663c;
  --pass-back: #dcf3e4;
  --warn: #7a4b00;
  --warn-back: #fdedcf;
  --fail: #a11d16;
  --fail-back: #fde4e1;
  --na: #515a68;
  --na-back: #e6e9ee;
  --level-0: #b42318;
  --level-1: #a85c00;
  --level-2: #55781a;
  --level-3: #0e7a4b;
  --level-none: #667180;
  --level-0-back: #fde4e1;
  --level-1-back: #fdedcf;
  --level-2-back: #eaf3d2;
  --level-3-back: #d9f3e5;
  --level-none-back: #e6e9ee;
  --sans: -apple-system, "Segoe UI", Roboto, Ubuntu, Cantarell, "Noto Sans", "Liberation Sans", system-ui, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
  --small: 0.875rem;
  --normal: 1rem;
  --large: 1.1875rem;
  --title-3: 1.25rem;
  --title-2: clamp(1.375rem, 1.25rem + 0.6vw, 1.75rem);
  --title-1: clamp(1.625rem, 1.2rem + 2.2vw, 2.75rem);
  --round: 0.625rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1318;
    --card: #171c23;
    --band: #1c222b;
    --line: #2f3844;
    --control: #7c8796;
    --ink: #e8ebf0;
    --quiet: #a5afbd;
    --link: #74cfe4;
    --focus: #74cfe4;
    --pass: #7fdca4;
    --pass-back: #12301f;
    --warn: #f3c06b;
    --warn-back: #37290c;
    --fail: #ff9c92;
    --fail-back: #431a17;
    --na: #b1bac6;
    --na-back: #29313c;
    --level-0: #f5756a;
    --level-1: #eca53d;
    --level-2: #a5cb52;
    --level-3: #4bcd92;
    --level-none: #8c97a6;
    --level-0-back: #431a17;
    --level-1-back: #37290c;
    --level-2-back: #252f10;
    --level-3-back: #0e3022;
    --level-none-back: #29313c;
  }
}
.level-0 { --level: var(--level-0); --level-back: var(--level-0-back); }
.level-1 { --level: var(--level-1); --level-back: var(--level-1-back); }
.level-2 { --level: var(--level-2); --level-back: var(--level-2-back); }
.level-3 { --level: var(--level-3); --level-back: var(--level-3-back); }
.level-none { --level: var(--level-none); --level-back: var(--level-none-back); }
rect[class^="level-"] { fill: var(--level); }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
@media (scripting: enabled) { .no-script { display: none; } }
@media (scripting: none) { .needs-script { display: none !important; } }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1.5rem; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); font: var(--normal)/1.6 var(--sans); overflow-wrap: break-word; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1, h2, h3, h4 { font-weight: 650; line-height: 1.25; text-wrap: balance; }
h1 { font-size: var(--title-1); font-weight: 700; line-height: 1.12; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { font-size: var(--title-2); letter-spacing: -0.012em; }
h3 { font-size: var(--title-3); }
h4 { font-size: var(--normal); }
a { color: var(--link); text-decoration-thickness: 0.06em; text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 0.14em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
main { flex: 1; }
main:focus { outline: none; }
code, pre, .address { font-family: var(--mono); font-size: 0.875em; }
.address { overflow-wrap: anywhere; }
.wide { width: min(100% - 2rem, 74rem); margin-inline: auto; }
.quiet { color: var(--quiet); font-size: var(--small); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: 1rem; top: -4rem; background: var(--card); padding: 0.6rem 1rem; border: 2px solid var(--focus); border-radius: 0 0 0.5rem 0.5rem; z-index: 3; }
.skip:focus { top: 0; }
input, select, button { max-width: 100%; font: inherit; color: inherit; }
input[type="search"], input[type="text"], input[type="number"], select { min-height: 2.75rem; padding: 0.4rem 0.8rem; background: var(--card); border: 1px solid var(--control); border-radius: var(--round); }
::placeholder { color: var(--quiet); opacity: 1; }
.button { min-height: 2.75rem; padding: 0.4rem 1.1rem; background: var(--card); color: var(--link); border: 1px solid var(--link); border-radius: var(--round); cursor: pointer; }
.button:hover { background: var(--band); }
.strong { background: var(--link); color: var(--card); font-weight: 600; }
.strong:hover { background: var(--ink); border-color: var(--ink); }
.top { background: var(--card); border-bottom: 1px solid var(--line); }
.top .wide { display: flex; flex-wrap: wrap; gap: 0.6rem 1.5rem; align-items: center; padding-block: 0.6rem; }
.brand { font-weight: 700; letter-spacing: -0.01em; }
.brand a { display: inline-flex; gap: 0.6rem; align-items: center; min-height: 2.5rem; color: inherit; text-decoration: none; }
.brand a:hover { text-decoration: underline; }
.brand a::before { content: "" / ""; flex: none; width: 1.35rem; height: 1.15rem; background: linear-gradient(var(--level-0) 0 0) 0 100% / 20% 40% no-repeat, linear-gradient(var(--level-1) 0 0) 33.3% 100% / 20% 60% no-repeat, linear-gradient(var(--level-2) 0 0) 66.7% 100% / 20% 80% no-repeat, linear-gradient(var(--level-3) 0 0) 100% 100% / 20% 100% no-repeat; }
.seek { position: relative; display: flex; flex: 1 1 18rem; gap: 0.5rem; min-width: 0; max-width: 34rem; }
.seek input { flex: 1; width: 0; min-width: 0; }
.top nav { margin-inline-start: auto; }
.nav { display: flex; flex-wrap: wrap; gap: 0.2rem; }
.nav a { display: inline-flex; align-items: center; min-height: 2.5rem; padding: 0.2rem 0.7rem; color: var(--quiet); border-radius: var(--round); font-size: 0.9375rem; text-decoration: none; }
.nav a:hover { color: var(--ink); background: var(--band); }
.nav a[aria-current] { color: var(--ink); font-weight: 600; background: var(--band); }
.hero { background: var(--card); border-bottom: 1px solid var(--line); padding-block: clamp(1.5rem, 4vw, 3rem); }
.hero-text > * + * { margin-top: 0.8rem; }
.eyebrow { font-size: var(--small); font-weight: 600; color: var(--quiet); }
.eyebrow + h1 { margin-top: 0.2rem; }
.lead { max-width: 62ch; font-size: var(--large); line-height: 1.5; white-space: pre-line; }
.notice { max-width: 68ch; padding: 0.8rem 1rem; background: var(--warn-back); border-inline-start: 4px solid var(--warn); border-radius: 0.25rem; }
.hero-text .near-title { font-size: var(--title-3); margin-top: 1.6rem; }
[data-opening] .hero-text > :not(h1) { display: none; }
[data-opening=""] .hero-text { visibility: hidden; }
.near { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.near a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0.3rem 1rem; border: 1px solid var(--line); border-radius: 99rem; overflow-wrap: anywhere; text-decoration: none; }
.near a:hover { border-color: currentcolor; }
.columns { display: grid; gap: 2rem; padding-block: 2rem 4rem; }
.contents ul { display: flex; flex-wrap: wrap; gap: 0.4rem; }
.contents a { display: inline-block; padding: 0.3rem 0.75rem; border: 1px solid var(--line); border-radius: 1.1rem; font-size: 0.9375rem; text-decoration: none; }
.contents a:hover { border-color: currentcolor; }
.sections { min-width: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 3rem; }
section > * + * { margin-top: 1rem; }
.scroll { --shade: color-mix(in srgb, var(--ink) 30%, transparent); position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: var(--round); background: linear-gradient(90deg, var(--card) 40%, transparent) 0 0 / 2.5rem 100% no-repeat local, linear-gradient(270deg, var(--card) 40%, transparent) 100% 0 / 2.5rem 100% no-repeat local, linear-gradient(90deg, var(--shade), transparent) 0 0 / 0.75rem 100% no-repeat scroll, linear-gradient(270deg, var(--shade), transparent) 100% 0 / 0.75rem 100% no-repeat scroll, var(--card); }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
caption { text-align: start; padding: 0.6rem 0.9rem; }
th, td { padding: 0.6rem 0.9rem; text-align: start; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: var(--small); color: var(--quiet); white-space: nowrap; }
caption:not(.hidden) + thead th { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; }
.number { text-align: end; white-space: nowrap; }
.checks { margin-top: 0.8rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--card); }
.check { padding: 0.9rem 1.1rem; }
.check + .check { border-top: 1px solid var(--line); }
.check-head { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; align-items: baseline; justify-content: space-between; }
.check-head h3 { min-width: 0; overflow-wrap: anywhere; }
.check p { max-width: 72ch; }
.check-title { color: var(--quiet); font-size: 0.9375rem; }
.points { font-variant-numeric: tabular-nums; font-size: 0.9375rem; }
.status { display: inline-block; padding: 0.05rem 0.6rem; border-radius: 99rem; font-size: var(--small); font-weight: 600; white-space: nowrap; }
.status-pass { color: var(--pass); background: var(--pass-back); }
.status-warn { color: var(--warn); background: var(--warn-back); }
.status-fail { color: var(--fail); background: var(--fail-back); }
.status-na { color: var(--na); background: var(--na-back); }
.band { font-weight: 600; }
.bar { display: block; width: 100%; height: 0.6rem; }
.bar-track { fill: var(--na-back); }
.bar-value { fill: var(--link); }
details { margin-top: 0.6rem; }
summary { position: relative; display: inline-block; cursor: pointer; padding-block: 0.15rem; color: var(--link); font-size: 0.9375rem; }
summary::before { content: "▸ " / ""; }
details[open] > summary::before { content: "▾ " / ""; }
pre { max-width: 100%; margin-top: 0.5rem; padding: 0.8rem 1rem; background: var(--band); border: 1px solid var(--line); border-radius: var(--round); white-space: pre-wrap; overflow-wrap: anywhere; overflow: auto; max-height: 28rem; line-height: 1.5; }
.quote .near { margin-top: 0.6rem; }
.copy { margin-top: 0.5rem; padding: 0.35rem 0.9rem; font: inherit; font-size: 0.9375rem; color: var(--link); background: var(--card); border: 1px solid currentcolor; border-radius: 99rem; cursor: pointer; }
.bottom { border-top: 1px solid var(--line); background: var(--card); font-size: 0.9375rem; color: var(--quiet); }
.bottom .wide { padding-block: 1.5rem; }
.bottom code { overflow-wrap: anywhere; }
@media (max-width: 47.99rem) {
  .top .wide { gap: 0.25rem 0.75rem; padding-block: 0.4rem 0.2rem; }
  .brand { max-width: 50%; font-size: 0.9375rem; line-height: 1.2; overflow-wrap: anywhere; }
  .seek { flex-basis: 8rem; max-width: none; }
  .seek .button { display: none; }
  .top nav { flex-basis: 100%; min-width: 0; }
  .nav { flex-wrap: nowrap; margin-inline: -0.5rem; overflow-x: auto; }
  .nav a { padding-inline: 0.5rem; white-space: nowrap; }
}
@media (max-width: 15rem) { .brand { max-width: 100%; } .seek { flex-basis: 100%; } .status { white-space: normal; } .button { padding-inline: 0.6rem; } }
@media (min-width: 64rem) {
  .columns { grid-template-columns: 12.5rem minmax(0, 1fr); gap: 3.5rem; padding-block: 2.5rem 5rem; }
  .contents { position: sticky; top: 1.5rem; align-self: start; }
  .contents ul { display: grid; gap: 0.1rem; border-inline-start: 2px solid var(--line); }
  .contents a { display: block; border: 0; border-radius: 0; padding-inline-start: 1rem; }
  .contents a:hover { text-decoration: underline; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media (forced-colors: active) { .status, .notice, .copy, .button { border: 1px solid; } rect[class^="level-"] { fill: CanvasText; } .bar-value { fill: CanvasText; } }
@media print { .scroll { background: none; } .quote, .near, .top nav, .seek, .contents, .skip, .copy, .button { display: none; } body { background: none; } .scroll { overflow: visible; } }
`;
