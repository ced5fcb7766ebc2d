/** Styles of the explorer and the categories, in addition to the shared stylesheet and in its colours. */
export const EXPLORER_STYLESHEET: string = `.find { padding-block: clamp(1rem, 2.5vw, 2.25rem); overflow-x: clip; }
#overview { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem 3.5rem; align-items: center; }
#overview:has([open]) { align-items: start; }
.intro > * + * { margin-top: 0.8rem; }
.key-figures { display: flex; flex-wrap: wrap; gap: 0.6rem 2rem; }
.key-figures dt { font-size: var(--small); color: var(--quiet); }
.key-figures dd { font-size: 1.375rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
.scores { min-width: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.8rem; }
.chart { display: flex; gap: 2px; touch-action: pan-y; user-select: none; }
.bins { position: relative; display: flex; flex: 1 1 0; gap: 2px; min-width: 0; padding-bottom: 1.4rem; }
${Array.from({ length: 21 }, (_, bins) => `.grow-${bins + 1} { flex-grow: ${bins + 1}; }`).join(" ")}
.bin { position: relative; flex: 1 1 0; min-width: 0; height: clamp(5.5rem, 13vw, 9rem); border-bottom: 1px solid var(--control); cursor: pointer; }
.bin svg { display: block; width: 100%; height: 100%; }
.bin rect { fill: var(--level); }
.bin:hover, .bin[data-picked] { background: var(--level-back); }
.bin.out rect { opacity: 0.3; }
.bin:focus-visible { z-index: 1; }
.tip { position: absolute; z-index: 2; bottom: calc(100% + 0.2rem); left: 50%; transform: translateX(-50%); padding: 0.15rem 0.55rem; background: var(--ink); color: var(--paper); border-radius: 0.35rem; font-size: var(--small); white-space: nowrap; pointer-events: none; opacity: 0; }
.bin:hover .tip, .bin:focus-visible .tip { opacity: 1; }
.axis { position: absolute; inset-inline-start: 0; bottom: 0; font-size: 0.75rem; line-height: 1.2; color: var(--quiet); font-variant-numeric: tabular-nums; }
.bins:first-child .tip { left: 0; transform: none; }
.bins:last-of-type .tip { left: auto; right: 0; transform: none; }
.bins:last-of-type::after { content: "100" / ""; position: absolute; inset-inline-end: 0; bottom: 0; font-size: 0.75rem; line-height: 1.2; color: var(--quiet); }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 0.4rem; margin-top: 0.5rem; }
.legend-band { display: inline-flex; gap: 0.4rem; align-items: baseline; min-height: 1.75rem; padding: 0.1rem 0.6rem; border: 1px solid var(--line); border-radius: 99rem; font-size: var(--small); color: inherit; text-decoration: none; }
.legend-band::before { content: "" / ""; align-self: center; width: 0.65rem; height: 0.65rem; border-radius: 50%; background: var(--level); }
.legend-band:hover { border-color: currentcolor; }
.legend-band[aria-current] { background: var(--level-back); border-color: var(--level); }
.legend b { font-variant-numeric: tabular-nums; }
.rest:empty, .nobody { display: none; }
.find:has(.nobody) { padding-block: 0; border: 0; }
.rest { margin-top: 0.4rem; }
.suggestions { position: absolute; z-index: 4; inset-inline: 0; top: calc(100% + 0.3rem); background: var(--card); border: 1px solid var(--control); border-radius: var(--round); overflow: hidden; box-shadow: 0 0.6rem 1.6rem rgb(0 0 0 / 22%); }
.suggestions li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 0.8rem; align-items: center; padding: 0.55rem 0.9rem; cursor: pointer; overflow-wrap: anywhere; line-height: 1.35; }
.suggestions .address { grid-row: 2; color: var(--quiet); }
.suggestions .score-tag, .suggestions .quiet { grid-area: 1 / 2 / span 2; }
.site-text mark { background: var(--warn-back); color: inherit; border-radius: 0.15rem; }
.suggestions mark { background: none; color: inherit; font-weight: 750; }
.score-tag { min-width: 2.6rem; padding: 0.1rem 0.5rem; border-radius: 0.4rem; background: var(--level-back); border-inline-start: 4px solid var(--level); color: var(--ink); font-weight: 650; text-align: center; font-variant-numeric: tabular-nums; }
.suggestions li + li { border-top: 1px solid var(--line); }
.suggestions li:hover { background: var(--band); }
.suggestions li[aria-selected="true"] { background: var(--link); color: var(--card); }
.suggestions li[aria-selected="true"] :is(.quiet, .address) { color: inherit; }
.explorer { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; padding-block: 1.5rem 3rem; align-content: start; }
#filters-toggle { justify-self: start; }
.sheet { width: 100%; max-width: none; height: 100%; max-height: none; margin: 0; padding: 0; border: 0; background: var(--paper); color: var(--ink); }
.sheet[open] { display: grid; grid-template-rows: auto minmax(0, 1fr) auto; }
.sheet::backdrop { background: rgb(0 0 0 / 45%); }
.sheet-head { display: flex; justify-content: space-between; align-items: center; padding: 0.7rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
.sheet-body { overflow-y: auto; overscroll-behavior: contain; padding: 0 1rem 1rem; }
.sheet-foot { padding: 0.7rem 1rem; background: var(--card); border-top: 1px solid var(--line); }
.sheet-foot .button { width: 100%; }
.filters { align-self: start; }
.facet { margin: 0; padding: 0.9rem 0; border: 0; border-top: 1px solid var(--line); }
.facet > summary, .facet > legend { display: block; width: 100%; padding: 0.15rem 0; font-size: 1rem; font-weight: 600; color: var(--ink); }
.facet > legend { float: inline-start; }
.facet > legend + * { clear: both; }
.facet > summary::before { color: var(--link); }
.facet .quiet { font-size: 0.875rem; }
.chosen { font-weight: 400; color: var(--quiet); font-size: 0.875rem; }
.choices { margin-top: 0.3rem; }
.choice label { display: flex; gap: 0.6rem; align-items: center; min-height: 1.9rem; padding: 0.15rem 0; cursor: pointer; }
.choice input { flex: none; width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--link); }
.choice-name { flex: 1; min-width: 0; overflow-wrap: anywhere; line-height: 1.3; }
.count { color: var(--quiet); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.empty .choice-name { color: var(--quiet); }
.choice input:disabled ~ .choice-name { color: var(--quiet); }
.range { margin: 0; padding: 0; border: 0; min-width: 0; }
.range > div { display: flex; flex-wrap: wrap; gap: 0.6rem; }
.range label { display: flex; gap: 0.5rem; align-items: center; font-size: 0.9375rem; }
.range input { width: 4.75rem; min-height: 2.25rem; }
.range .wrong { margin-top: 0.4rem; color: var(--fail); font-size: 0.9375rem; }
.range [aria-invalid="true"] { border-color: var(--fail); }
.outcome-column { min-width: 0; }
.found { display: flex; flex-wrap: wrap; gap: 0.6rem 1.5rem; align-items: center; justify-content: space-between; }
.found h2 { font-size: 1.5rem; }
#found:focus:not(:focus-visible) { outline: none; }
.sort { display: flex; gap: 0.6rem; align-items: center; font-size: 0.9375rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-top: 0.9rem; }
.chip { display: inline-flex; gap: 0.4rem; align-items: center; min-height: 1.9rem; padding: 0.15rem 0.8rem; background: var(--card); border: 1px solid var(--line); border-radius: 99rem; font-size: 0.875rem; text-decoration: none; overflow-wrap: anywhere; }
.chip:hover { border-color: currentcolor; }
.clear { background: none; border-color: transparent; text-decoration: underline; }
.sites { margin-top: 1.1rem; }
#results { position: relative; }
[aria-busy]::before { content: "" / ""; position: absolute; inset-inline: 0; top: -0.75rem; height: 3px; border-radius: 3px; background: linear-gradient(90deg, transparent, var(--link), transparent) 0 0 / 40% 100% no-repeat; animation: busy 1.1s 0.2s ease-in-out infinite backwards; }
@keyframes busy { from { background-position: -70% 0; } to { background-position: 170% 0; } }
[data-sought] :is(.intro, #results > *, #categories, .bottom) { display: none; }
[data-sought] :is(.scores > *, #filters) { visibility: hidden; }
[data-sought] .scores { background: var(--band); border-radius: var(--round); }
[data-sought] #problem { position: relative; z-index: 1; height: 0; }
[data-sought] #results::after { content: "" / ""; display: block; height: 63rem; background: repeating-linear-gradient(var(--band) 0 8.5rem, transparent 8.5rem 10.5rem); border-radius: var(--round); }
.all { font-weight: 600; }
.site { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr) auto; gap: 0 1rem; padding-block: 1.1rem; border-top: 1px solid var(--line); }
.site h3 { font-size: 1.1875rem; overflow-wrap: anywhere; }
.site h3 a { text-decoration: none; }
.site h3 a:hover { text-decoration: underline; }
.mark { display: inline-block; margin-inline-start: 0.4rem; padding: 0 0.55rem; border: 1px solid var(--link); border-radius: 99rem; color: var(--link); font-size: 0.75rem; font-weight: 600; line-height: 1.6; vertical-align: 0.15em; }
.site .address { color: var(--quiet); }
.tagline { margin-top: 0.25rem; max-width: 68ch; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 6; overflow: hidden; }
.dots { display: flex; flex-wrap: wrap; gap: 0.1rem 0.7rem; align-items: center; margin-top: 0.4rem; }
.dots svg { max-width: 100%; height: auto; }
.dots path { fill: none; stroke: var(--level-3); stroke-width: 8; stroke-linecap: round; }
.site-facts { display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem; margin-top: 0.25rem; }
.site-facts a { display: inline-block; min-height: 1.5rem; }
.site-score { display: grid; gap: 0.25rem; align-content: center; justify-items: center; align-self: start; min-height: 4rem; padding: 0.5rem 0.2rem; background: var(--level-back); border-bottom: 4px solid var(--level); border-radius: 0.5rem 0.5rem 0.2rem 0.2rem; text-align: center; }
.site-score .points { font-size: 1.625rem; font-weight: 700; line-height: 1; font-variant-numeric: tabular-nums lining-nums; }
.site-score .band { max-width: 100%; font-size: 0.75rem; font-weight: 500; line-height: 1.2; overflow-wrap: break-word; hyphens: auto; }
.unscored { background: none; border: 1px dashed var(--control); border-radius: 0.5rem; color: var(--quiet); }
.site .logo { grid-area: 1 / 3; }
.site .site-text { grid-area: 1 / 2; }
.logo { position: relative; display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border: 1px solid var(--line); border-radius: 0.5rem; overflow: hidden; background: var(--band); color: var(--quiet); font-weight: 650; }
.logo img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; background: #ffffff; }
.category { padding-block: 1rem 4rem; }
.category > h2 { margin-top: 2rem; }
.category > h2:first-child { margin-top: 0.5rem; }
span.bin { cursor: default; }
.tick { display: inline-flex; gap: 0.35rem; align-items: center; min-height: 1.5rem; cursor: pointer; }
.tick input { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--link); }
.ticks { position: sticky; z-index: 2; bottom: 0; display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; align-items: center; justify-content: center; padding: 0.6rem 1rem; background: var(--card); border-block: 1px solid var(--control); }
.ticks p { min-width: 0; max-height: 3.2em; overflow: auto; overflow-wrap: anywhere; }
main:not(:has(.tick :checked, .ticks input)) .ticks { display: none; }
.rank { color: var(--ink); font-weight: 600; }
.measure { max-width: 72ch; }
.shares { display: grid; gap: 0.15rem; padding: 0.7rem 1.1rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--card); }
.shares li { display: grid; grid-template-columns: minmax(6rem, 15rem) minmax(0, 1fr) auto; gap: 0 0.9rem; align-items: center; min-height: 1.9rem; font-size: 0.9375rem; }
.shares a { color: inherit; text-decoration-color: var(--control); }
.share { min-width: 8rem; text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.by-category { padding-block: 0 4rem; }
.names { columns: 14rem; column-gap: 2rem; }
.names li { break-inside: avoid; padding-block: 0.15rem; }
.by-category .count { margin-inline-start: 0.4rem; }
@media (scripting: none) {
  .unserved .all, .unserved .range, .unserved .sort, .unserved .pages, .unserved fieldset, .unserved .facet .quiet, .unserved .facet input { display: none; }
  .unserved .choice label { cursor: auto; }
  .unserved .bin, .unserved .legend-band { pointer-events: none; }
  @media (max-width: 55.99rem) { .filters, .explorer > div.no-script { order: 1; } }
}
.nothing { margin-top: 2rem; font-size: 1.375rem; line-height: 1.35; overflow-wrap: anywhere; }
.nothing ~ p { margin-top: 0.8rem; }
.did-you-mean { font-size: 1.125rem; }
.problem { display: flex; flex-wrap: wrap; gap: 0.6rem 1.2rem; align-items: center; margin-bottom: 1.5rem; max-width: none; }
.pages { margin-top: 1.5rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
.pages ul { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; }
.pages a { display: grid; place-items: center; min-width: 2.75rem; min-height: 2.75rem; padding: 0.2rem 0.7rem; border: 1px solid var(--line); border-radius: 0.5rem; text-decoration: none; font-variant-numeric: tabular-nums; }
.pages a:hover { border-color: currentcolor; }
.pages a[aria-current] { background: var(--link); border-color: var(--link); color: var(--card); font-weight: 600; }
@media (max-width: 55.99rem) {
  @media (scripting: enabled) { .explorer > .filters { display: none; } }
  .facet:first-child { border-top: 0; }
}
@media (max-width: 35.99rem) {
  .explorer { gap: 0.75rem; padding-top: 0.75rem; }
  .suggestions { inset-inline-start: auto; width: calc(100vw - 2rem); }
  .found { gap: 0.2rem 1rem; }
  .found h2 { font-size: var(--title-3); }
  .sites { margin-top: 0.5rem; }
  .site { grid-template-columns: 5.25rem minmax(0, 1fr); gap: 0 0.9rem; }
  .site .logo { grid-area: 2 / 1; justify-self: center; margin-top: 0.5rem; align-self: start; }
  .site .site-text { grid-area: 1 / 2 / span 2; }
  .sort { width: 100%; }
  .shares li { grid-template-columns: minmax(0, 1fr) auto; padding-block: 0.25rem; }
  .shares .bar { grid-area: 2 / 1 / auto / span 2; }
  .sort select { flex: 1; }
}
@media (max-width: 15rem) { .site { grid-template-columns: minmax(0, 1fr); } .site .logo { display: none; } .site .site-text { grid-area: auto; } .sort { flex-wrap: wrap; } .site-facts { overflow-wrap: anywhere; } }
@media (min-width: 48rem) { #overview { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); } :is(.intro.hidden, [data-sought] .intro) + .scores { grid-column: 1 / -1; grid-template-columns: minmax(0, 1fr) auto; align-items: end; } :is(.intro.hidden, [data-sought] .intro) + .scores .bin { height: 4.5rem; } }
@media (max-width: 47.99rem) {
  #overview { gap: 0.9rem; }
  .intro > * + * { margin-top: 0.5rem; }
  .intro p { font-size: var(--normal); line-height: 1.4; }
  .about { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  .key-figures { gap: 0.3rem 1.25rem; }
  .key-figures dd { font-size: 1.125rem; }
  .intro + .scores { gap: 0.5rem; }
  html:not([data-sought]) .intro:not(.hidden) + .scores :is(.range, .rest) { display: none; }
  .intro + .scores .bin { height: 3.5rem; }
  .legend { position: relative; flex-wrap: nowrap; overflow-x: auto; }
  .legend-band { display: flex; padding-inline: 0.5rem; white-space: nowrap; }
  .legend-band .quiet { display: none; }
  :is(.intro.hidden, [data-sought] .intro) + .scores .bin { height: 3.5rem; }
  :is(.intro.hidden, [data-sought] .intro) + .scores :is(.legend, .rest) { display: none; }
}
@media (min-width: 56rem) {
  .explorer { grid-template-columns: 16rem minmax(0, 1fr); gap: 1rem 3.5rem; padding-block: 2.2rem 5rem; }
  .outcome-column { grid-area: 1 / 2 / span 4; }
  .explorer > p.no-script { grid-column: 1; }
  .filters, .explorer > .no-script { grid-column: 1; }
  #filters-toggle { display: none; }
  .facet:first-child { border-top: 0; padding-top: 0; }
}
@media (max-width: 15rem) { .share { min-width: 0; white-space: normal; text-align: start; overflow-wrap: anywhere; } .shares li { grid-template-columns: minmax(0, 1fr); } .shares .bar { grid-area: auto; } }
@media (prefers-reduced-motion: reduce) { [aria-busy]::before { animation: none; background: var(--link); } }
@media (forced-colors: active) { .suggestions li[aria-selected="true"], .pages a[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; } .highlighted::before { background: Highlight; } }
@media print { .tick, .ticks { display: none; } }
`;
