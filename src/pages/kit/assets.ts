import { textHash } from "../../contract/host.js";

/** A file that pages load. Its name contains the hash of its text, so that browsers may cache it forever. */
export interface AssetFile {
  /** Relative to `assets/`. */
  readonly name: string;
  readonly type: string;
}

export interface Asset extends AssetFile {
  readonly text: string;
}

const CSS = "text/css; charset=utf-8";

// Pages need the names, but not the texts, which are in asset-texts.ts. A test says which name a changed text needs.
export const STYLE: AssetFile = { name: "pages-cf660837.css", type: CSS };
export const REPORT_STYLE: AssetFile = { name: "report-d3745902.css", type: CSS };
export const EXPLORER_STYLE: AssetFile = { name: "explorer-82a9ae56.css", type: CSS };
export const STANDARDS_STYLE: AssetFile = { name: "standards-659e63b9.css", type: CSS };
export const TABLES_STYLE: AssetFile = { name: "tables-3e9a49ad.css", type: CSS };
export const API_STYLE: AssetFile = { name: "reads-9bfd439a.css", type: CSS };
export const ICON: AssetFile = { name: "icon-f3765cae.svg", type: "image/svg+xml" };

/** The directory's icon. `.build/icons.ts` makes images of it. */
export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#12171f"/><path d="M6 26v-7h4v7z" fill="#f5756a"/><path d="M11.3 26V15h4v11z" fill="#eca53d"/><path d="M16.7 26V11h4v15z" fill="#a5cb52"/><path d="M22 26V6h4v20z" fill="#4bcd92"/></svg>
`;

/** The pattern of asset names of any version. */
export const ASSET_NAME = /^[a-z]+-[0-9a-f]{8}\.(?:css|svg|js)$/;

/** A 32-bit hash as 8 hex digits. Two versions of a file collide with a probability of 1 in 4 billion. */
export function hashOf(text: string): string {
  return textHash(text).toString(16).padStart(8, "0");
}
