/** Styles of the explorer and the categories, in addition to the shared stylesheet and in its colours. */
export const EXPLORER_STYLESHEET = `.find { padding-block: clamp(1.5rem, 3.5vw, 2.75rem); }
.find .wide > * + * { margin-top: 0.9rem; }
.seek-box { position: relative; display: flex; gap: 0.6rem; max-width: 46rem; margin-top: 1.6rem !important; }
.seek-box input { flex: 1; min-width: 0; min-height: 3.25rem; font-size: 1.125rem; }
.seek-box .button { min-height: 3.25rem; }
.suggestions { position: absolute; z-index: 2; inset-inline: 0; top: calc(100% + 0.3rem); background: var(--card); border: 1px solid var(--control); border-radius: 0.5rem; overflow: hidden; box-shadow: 0 0.6rem 1.6rem rgb(0 0 0 / 18%); }
.suggestions li { display: flex; flex-wrap: wrap; gap: 0 0.8rem; justify-content: space-between; padding: 0.55rem 0.9rem; cursor: pointer; overflow-wrap: anywhere; }
.suggestions li + li { border-top: 1px solid var(--line); }
.suggestions li:hover { background: var(--band); }
.suggestions li[aria-selected="true"] { background: var(--link); color: var(--card); }
.suggestions li[aria-selected="true"] .quiet { color: inherit; }
.explorer { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; padding-block: 1.5rem 4rem; align-content: start; }
#filters-toggle { justify-self: start; }
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
.narrow { width: 100%; margin-top: 0.5rem; min-height: 2.4rem !important; font-size: 0.9375rem; }
.unfold { margin-top: 0.3rem; padding: 0.25rem 0; min-height: 1.9rem; background: none; border: 0; color: var(--link); text-decoration: underline; text-underline-offset: 0.18em; text-decoration-thickness: 0.06em; cursor: pointer; font-size: 0.9375rem; }
.range > div { display: flex; gap: 0.8rem; padding-top: 0.4rem; }
.range label { display: flex; gap: 0.5rem; align-items: center; }
.range input { width: 5.2rem; }
.range .quiet { margin-top: 0.4rem; }
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
.site { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr); gap: 0 1.25rem; padding-block: 1.15rem; border-top: 1px solid var(--line); }
.highlighted { position: relative; }
.highlighted::before { content: "" / ""; position: absolute; inset-block: 0; inset-inline-start: -1rem; width: 3px; background: var(--link); }
.site h3 { font-size: 1.25rem; overflow-wrap: anywhere; }
.site h3 a { text-decoration: none; }
.site h3 a:hover { text-decoration: underline; }
.site .address { color: var(--quiet); }
.tagline { margin-top: 0.3rem; max-width: 68ch; overflow-wrap: anywhere; }
.site-facts { display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem; margin-top: 0.4rem; font-size: 0.875rem; }
.site-facts a { display: inline-block; min-height: 1.5rem; }
.site-score { display: grid; gap: 0.3rem; align-content: start; }
.site-score .points { font-size: 1.75rem; font-weight: 600; line-height: 1; font-variant-numeric: tabular-nums lining-nums; }
.site-score .bar { height: 0.3rem; }
.site-score .band { font-size: 0.8125rem; font-weight: 400; line-height: 1.25; color: var(--quiet); overflow-wrap: anywhere; hyphens: auto; }
.unscored { padding-top: 0.35rem; }
.brief .site { padding-block: 0.6rem; }
.brief .points { font-size: 1.375rem; }
.site-name { font-size: 1.125rem; overflow-wrap: anywhere; }
.category { padding-block: 1rem 4rem; }
.by-category { padding-block: 0 4rem; }
.by-category .count { margin-inline-start: 0.4rem; }
@media (scripting: none) {
  .unserved .seek-box, .unserved .sort, .unserved .pages, .unserved fieldset, .unserved .facet .quiet, .unserved .facet input { display: none; }
  .unserved .choice label { cursor: auto; }
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
  @media (scripting: enabled) { #filters-toggle[aria-expanded="false"] + .filters { display: none; } }
  .facet:first-child { border-top: 0; }
}
@media (max-width: 29.99rem) {
  .site { gap: 0 0.9rem; }
  .seek-box .button { padding-inline: 0.9rem; }
  .sort { width: 100%; }
  .sort select { flex: 1; }
}
@media (min-width: 56rem) {
  .explorer { grid-template-columns: 16rem minmax(0, 1fr); gap: 1rem 3.5rem; padding-block: 2.2rem 5rem; }
  .outcome-column { grid-area: 1 / 2 / span 3; }
  .filters, .explorer > .no-script { grid-column: 1; }
  #filters-toggle { display: none; }
  .facet:first-child { border-top: 0; padding-top: 0; }
}
@media (prefers-reduced-motion: reduce) { [aria-busy]::before { animation: none; background: var(--link); } }
@media (forced-colors: active) { .suggestions li[aria-selected="true"], .pages a[aria-current] { outline: 2px solid Highlight; outline-offset: -2px; } .highlighted::before { background: Highlight; } }
`;
