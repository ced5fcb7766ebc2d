import { SCRIPT_ASSETS } from "#scripts/texts";
import { type Asset, EXPLORER_STYLE, ICON, STYLE } from "./assets.js";
import { EXPLORER_STYLESHEET } from "./explorer-style.js";
import { STYLESHEET } from "./style.js";

const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5563"/><path d="M7 21a9 9 0 0 1 18 0" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/><circle cx="16" cy="21" r="2.5" fill="#fff"/></svg>
`;

/** All files that pages load. */
export const ASSETS: readonly Asset[] = [
  { ...STYLE, text: STYLESHEET },
  { ...EXPLORER_STYLE, text: EXPLORER_STYLESHEET },
  { ...ICON, text: ICON_SVG },
  ...SCRIPT_ASSETS,
];
