import { ICON_IMAGES } from "#scripts/icons";
import { SCRIPT_ASSETS } from "#scripts/texts";
import { API_STYLESHEET } from "./api-style.js";
import {
  API_STYLE,
  type Asset,
  EXPLORER_STYLE,
  ICON,
  REPORT_STYLE,
  STANDARDS_STYLE,
  STYLE,
} from "./assets.js";
import { EXPLORER_STYLESHEET } from "./explorer-style.js";
import { REPORT_STYLESHEET } from "./report-style.js";
import { STANDARDS_STYLESHEET } from "./standards-style.js";
import { STYLESHEET } from "./style.js";

const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#12171f"/><path d="M6 26v-7h4v7z" fill="#f5756a"/><path d="M11.3 26V15h4v11z" fill="#eca53d"/><path d="M16.7 26V11h4v15z" fill="#a5cb52"/><path d="M22 26V6h4v20z" fill="#4bcd92"/></svg>
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
  { ...API_STYLE, text: API_STYLESHEET },
  { ...ICON, text: ICON_SVG },
  ...SCRIPT_ASSETS,
];
