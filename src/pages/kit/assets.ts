import { textHash } from "../../contract/host.js";
import { EXPLORER_STYLESHEET } from "./explorer-style.js";
import { STYLESHEET } from "./style.js";

/** A file that pages load. Its name contains a hash of its content, so that browsers may cache it forever. */
export interface Asset {
  /** Relative to `assets/`. */
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5563"/><path d="M7 21a9 9 0 0 1 18 0" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/><circle cx="16" cy="21" r="2.5" fill="#fff"/></svg>
`;

export const STYLE = asset("report", "css", "text/css; charset=utf-8", STYLESHEET);
export const EXPLORER_STYLE = asset(
  "explorer",
  "css",
  "text/css; charset=utf-8",
  EXPLORER_STYLESHEET,
);
export const ICON = asset("icon", "svg", "image/svg+xml", ICON_SVG);

/** All files that pages load, except modules. */
export const ASSETS: readonly Asset[] = [STYLE, EXPLORER_STYLE, ICON];

/** By content type, the pattern of asset names of any version. */
export const ASSET_NAMES: ReadonlyMap<string, RegExp> = new Map([
  [STYLE.type, /^[a-z]+-[0-9a-f]{8}\.css$/],
  [ICON.type, /^[a-z]+-[0-9a-f]{8}\.svg$/],
]);

function asset(name: string, ending: string, type: string, text: string): Asset {
  return { name: `${name}-${hashOf(text)}.${ending}`, type, text };
}

/** A 32-bit hash as 8 hex digits. Two versions of a file collide with a probability of 1 in 4 billion. */
export function hashOf(text: string): string {
  return textHash(text).toString(16).padStart(8, "0");
}
