import { ICON_IMAGES } from "#scripts/icons";
import { SCRIPT_ASSETS } from "#scripts/texts";
import {
  API_STYLE,
  type Asset,
  EXPLORER_STYLE,
  ICON,
  ICON_SVG,
  REPORT_STYLE,
  STANDARDS_STYLE,
  STYLE,
  TABLES_STYLE,
} from "./assets.js";
import { EXPLORER_STYLESHEET } from "./explorer-style.js";
import { REPORT_STYLESHEET } from "./report-style.js";
import { STYLESHEET } from "./style.js";
import { TABLES_STYLESHEET } from "./tables-style.js";

/** Styles of the methodology, in addition to the shared stylesheet and in its colours. */
const STANDARDS_STYLESHEET: string = `.measure { max-width: 72ch; }
.prose > div + div { margin-top: 0.8rem; }
.prose dt { font-size: var(--small); font-weight: 600; }
.prose dd { max-width: 72ch; white-space: pre-line; }
.scale { display: block; width: 100%; height: 38px; }
.scale text { font-size: 13px; fill: var(--quiet); font-variant-numeric: tabular-nums; }
.bands td, .bands th { vertical-align: middle; }
.swatch { display: inline-flex; gap: 0.6rem; align-items: center; }
.swatch::before { content: "" / ""; flex: none; width: 0.9rem; height: 0.9rem; border-radius: 0.25rem; background: var(--level); }
.band-share { width: 38%; }
.band-share div { display: grid; grid-template-columns: minmax(3rem, 1fr) 7.5rem; gap: 0.8rem; align-items: center; }
.share { font-variant-numeric: tabular-nums; font-size: 0.9375rem; white-space: nowrap; text-align: end; }
.shares { display: grid; gap: 0.15rem; }
.shares li { display: grid; grid-template-columns: minmax(6rem, 13rem) minmax(0, 1fr) 10rem; gap: 0 0.9rem; align-items: center; padding-block: 0.15rem; font-size: 0.9375rem; }
section > h3 { margin-top: 1.75rem; }
.adoption-chart { padding: 0.9rem 1.1rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--card); }
.adoption-chart a { display: flex; align-items: center; min-height: 1.75rem; color: inherit; text-decoration-color: var(--control); }
.adoption-chart .bar { height: 0.9rem; }
.bar { border-radius: 0.2rem; background: var(--na-back); }
.shares span:last-child { text-align: end; font-variant-numeric: tabular-nums; }
.by-category .shares li { grid-template-columns: minmax(6rem, 14rem) minmax(0, 1fr) 7rem; }
.adoption { display: grid; grid-template-columns: minmax(4rem, 14rem) minmax(0, 1fr); gap: 0.2rem 0.9rem; align-items: center; margin-top: 0.7rem; font-size: 0.9375rem; }
.by-category .shares { max-width: 44rem; }
.check > details { margin-top: 0.3rem; }
.check details > * + * { margin-top: 0.6rem; }
.sources { display: grid; gap: 0.2rem; }
.sources .address { font: inherit; font-size: 0.9375rem; }
.anchor { color: inherit; text-decoration: none; }
.anchor:hover { text-decoration: underline; }
.check:target { outline: 2px solid var(--focus); outline-offset: -2px; border-radius: var(--round); }
.words { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.4rem; }
.words label { font-weight: 600; }
.words input { max-width: 34rem; }
.words #told { min-height: 1.6em; }
.check-page { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2.5rem; padding-block: 2rem 4rem; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem 2.5rem; }
.worked .sum > * { background: var(--band); font-weight: 600; }
.worked tfoot > * > * { border-top: 2px solid var(--ink); font-weight: 700; }
.named { display: grid; gap: 0.4rem; margin-top: 0.6rem; overflow-wrap: anywhere; }
.score-tag { display: inline-block; min-width: 2.6rem; margin-inline-end: 0.4rem; padding: 0.1rem 0.5rem; border-radius: 0.4rem; background: var(--level-back); border-inline-start: 4px solid var(--level); font-weight: 650; text-align: center; font-variant-numeric: tabular-nums; }
.moved-up, .moved-down { font-weight: 650; font-variant-numeric: tabular-nums; }
.moved-up { color: var(--pass); }
.moved-down { color: var(--fail); }
.named .address { color: var(--quiet); }
@media (min-width: 48rem) { .pair { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (max-width: 39.99rem) {
  .bands .example { display: none; }
  .bands { font-size: var(--small); }
  .bands th, .bands td { padding-inline: 0.5rem; }
  .band-share div { grid-template-columns: minmax(0, 1fr); gap: 0.2rem; }
  .band-share .share { text-align: start; }
  .shares li, .by-category .shares li { grid-template-columns: minmax(0, 1fr) auto; gap: 0 0.9rem; padding-block: 0.3rem; }
  .shares .bar { grid-area: 2 / 1 / auto / span 2; }
  .adoption { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 15rem) { .share { white-space: normal; } .shares li, .by-category .shares li { grid-template-columns: minmax(0, 1fr); } .shares .bar { grid-area: auto; } .shares span:last-child { text-align: start; } }
@media (forced-colors: active) { .bar { border: 1px solid CanvasText; background: Canvas; } .scale rect { stroke: Canvas; } .swatch::before { border: 1px solid CanvasText; } }
@media print {
  html { font-size: 75%; }
  .words, .by-category, .adoption a, .judged summary { display: none; }
  .check, .shares li { break-inside: avoid; }
  .judged::details-content { content-visibility: visible; display: block; }
  .columns { display: block; }
  .bar { border: 1px solid var(--line); print-color-adjust: exact; }
}
`;

/** Styles of the API page, in addition to the shared stylesheet and in its colours. */
const API_STYLESHEET: string = `.measure { max-width: 72ch; }
.prose > div + div { margin-top: 0.8rem; }
.prose dt { font-size: 0.875rem; color: var(--quiet); }
.prose dd { max-width: 72ch; white-space: pre-line; }
.read h3 { margin-top: 1.6rem; }
.endpoint code { padding: 0.25rem 0.6rem; background: var(--band); border: 1px solid var(--line); border-radius: 0.4rem; overflow-wrap: anywhere; }
.try { padding: 0 1.1rem 1.1rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; }
.try h3 { margin-top: 1rem; }
.try input, .try select { width: 100%; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.2rem 1.2rem; padding-block: 0.8rem; }
.field + .field, .optional { border-top: 1px solid var(--line); }
.field .quiet { font-size: 0.875rem; line-height: 1.45; }
.allowed { display: block; overflow-wrap: anywhere; }
.optional { min-width: 0; margin: 0; padding: 0; border-width: 1px 0 0; border-style: solid; border-color: var(--line); }
.send { display: flex; flex-wrap: wrap; gap: 0.6rem; margin-top: 0.8rem; }
.reply > * { margin-top: 0.8rem; }
.reply-status { display: flex; flex-wrap: wrap; gap: 0.4rem 0.8rem; align-items: baseline; }
.reply-headers { font-family: var(--mono); font-size: 0.8125rem; overflow-wrap: anywhere; }
.reply-headers div { display: flex; flex-wrap: wrap; gap: 0 0.6rem; }
.reply-headers dt { color: var(--quiet); }
tr:target th { color: var(--link); text-decoration: underline; }
@media (min-width: 48rem) {
  .field { grid-template-columns: 11rem minmax(0, 1fr); }
  .field label { grid-row: span 2; }
}
`;

/** The bytes of the icon's images. */
export function iconBytes(name: "favicon" | "touchIcon"): Uint8Array {
  return Uint8Array.from(atob(ICON_IMAGES[name]), (byte) => byte.charCodeAt(0));
}

/** All files that pages load. */
export const ASSETS: readonly Asset[] = [
  { ...STYLE, text: STYLESHEET },
  { ...REPORT_STYLE, text: REPORT_STYLESHEET },
  { ...EXPLORER_STYLE, text: EXPLORER_STYLESHEET },
  { ...STANDARDS_STYLE, text: STANDARDS_STYLESHEET },
  { ...TABLES_STYLE, text: TABLES_STYLESHEET },
  { ...API_STYLE, text: API_STYLESHEET },
  { ...ICON, text: ICON_SVG },
  ...SCRIPT_ASSETS,
];
